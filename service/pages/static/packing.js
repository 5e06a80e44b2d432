/** Packs what a page holds into the fragment of its address, which no browser sends anywhere. */

/** So many bytes are unpacked at most. */
const MOST = 256 * 1024;

/** @param {any} value what JSON can say @returns {Promise<string>} letters that stand in an address as they are */
export async function pack(value) {
  const packed = new Response(new Blob([JSON.stringify(value)]).stream().pipeThrough(new CompressionStream("deflate-raw")));
  const letters = Array.from(new Uint8Array(await packed.arrayBuffer()), (byte) => String.fromCharCode(byte)).join("");
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** What was packed; whoever made the link may have packed anything. Throws Error where it cannot be read or is too large. @param {string} text */
export async function unpack(text) {
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const read = new TextDecoder("utf-8", { fatal: true });
  let [unpacked, size] = ["", 0];
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.length;
    if (size > MOST) {
      await reader.cancel();
      throw new RangeError(`more than ${MOST} bytes`);
    }
    unpacked += read.decode(part.value, { stream: true });
  }
  return JSON.parse(unpacked + read.decode());
}
