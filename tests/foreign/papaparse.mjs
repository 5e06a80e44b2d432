// Prints the rows of a sheet, and the separator that Papa Parse guesses, as it reads the file by itself.
import { readFileSync } from "node:fs";
import Papa from "papaparse";

const { data, errors, meta } = Papa.parse(readFileSync(0, "utf8"), { header: true, skipEmptyLines: true });
console.log(JSON.stringify({ rows: data, errors, separator: meta.delimiter }));
