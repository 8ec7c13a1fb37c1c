/** The files of the form of a new provider. */

/** What stands between the lines of a PEM file, which is DER in Base64. */
const pem = /-----BEGIN [A-Z ]+-----([A-Za-z0-9+/=\s]+)-----END [A-Z ]+-----/

function base64(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}

/** A file in Base64. */
export const readBase64 = async (file: File): Promise<string> =>
  base64(new Uint8Array(await file.arrayBuffer()))

/** A certificate or a key as DER in Base64; PEM files are accepted as well. */
export async function readDer(file: File): Promise<string> {
  const body = pem.exec(await file.text())?.[1]
  return body ? body.replaceAll(/\s/g, '') : readBase64(file)
}
