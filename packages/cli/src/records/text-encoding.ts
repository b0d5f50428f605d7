// Which bytes are no UTF-8, as people have them: what Excel writes on Windows, or PowerShell with `>`.

const utf16Marks = [Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff])]

/** The end of a sentence about text that is not UTF-8; the bytes are its beginning. */
export function howToConvert(bytes: Uint8Array): string {
  const isUtf16 = utf16Marks.some((mark) => mark.equals(bytes.subarray(0, mark.length)))
  return `convert the file, for example with iconv -f ${isUtf16 ? 'UTF-16' : 'WINDOWS-1252'} -t UTF-8`
}
