// Parses AsyncAPI documents with the official parser: node asyncapi.cjs FILE…
// Prints what the parser finds, and exits with 1 for errors and warnings.
const { Parser, fromFile } = require("@asyncapi/parser");

const SEVERITIES = ["error", "warning", "info", "hint"];
const WARNING = 1;

async function main(files) {
  const parser = new Parser();
  for (const file of files) {
    const { document, diagnostics } = await fromFile(parser, file).parse();
    for (const { severity, path, message } of diagnostics) {
      console.error(`${file}: ${SEVERITIES[severity]}: ${path.join(".")}: ${message}`);
    }
    if (!document || diagnostics.some(({ severity }) => severity <= WARNING)) process.exitCode = 1;
  }
}

main(process.argv.slice(2));
