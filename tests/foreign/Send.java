// java Send.java: Java's HttpClient as it is set up by default, which offers to go on in HTTP/2.
// A request is four lines: method, URL, headers as NAME: VALUE with tabs between them, and the body in Base64. Its answer
// is one line: the status, a blank, and the body in Base64.
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Base64;

public class Send {
    public static void main(String[] arguments) throws Exception {
        var client = HttpClient.newHttpClient();
        var lines = new BufferedReader(new InputStreamReader(System.in));
        String method;
        while ((method = lines.readLine()) != null) {
            var request = HttpRequest.newBuilder(URI.create(lines.readLine()));
            for (var header : lines.readLine().split("\t")) {
                request.header(header.split(": ")[0], header.split(": ")[1]);
            }
            var body = Base64.getDecoder().decode(lines.readLine());
            request.method(method, body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body));
            var answer = client.send(request.build(), BodyHandlers.ofByteArray());
            System.out.println(answer.statusCode() + " " + Base64.getEncoder().encodeToString(answer.body()));
        }
    }
}
