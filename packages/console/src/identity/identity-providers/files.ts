/** The files of the form of a new provider. */
import { uint8ArrayToBase64 } from 'uint8array-extras'

/** What stands between the lines of a PEM file, which is DER in Base64. */
const pem = /-----BEGIN [A-Z ]+-----([A-Za-z0-9+/=\s]+)-----END [A-Z ]+-----/

/** A file in Base64. */
export const readBase64 = async (file: File): Promise<string> =>
  uint8ArrayToBase64(await file.arrayBuffer())

/** A certificate or a key as DER in Base64; PEM files are accepted as well. */
export async function readDer(file: File): Promise<string> {
  const body = pem.exec(await file.text())?.[1]
  return body ? body.replaceAll(/\s/g, '') : readBase64(file)
}
