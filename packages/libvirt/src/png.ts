/** Pictures of screens: from PPM, as QEMU draws them, to PNG, as browsers show them. */
import { promisify } from 'node:util'
import { crc32, deflate } from 'node:zlib'

const compress = promisify(deflate)

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)
/** Of red, green and blue, one byte each. */
const PIXEL_BYTES = 3
const BIT_DEPTH = 8
/** PNG's colour type for red, green and blue. */
const TRUE_COLOUR = 2
/** zlib's level: screens are plain, and a picture is looked at once. */
const LEVEL = 3

export interface Picture {
  width: number
  height: number
  /** Red, green and blue of each pixel, in rows from the top. */
  pixels: Uint8Array
}

/**
 * Parses a binary PPM with one byte for each colour.
 * @throws Error if it is none
 */
export function readPpm(data: Uint8Array): Picture {
  // The header is in ASCII, and far shorter.
  const start = Buffer.from(data.subarray(0, 256)).toString('latin1')
  const header = /^P6(?:\s+|#[^\n]*\n)+(\d+)\s+(\d+)\s+255\s/.exec(start)
  if (!header) throw new Error('the picture of the screen is not in the format PPM')
  const [width, height] = [Number(header[1]), Number(header[2])]
  const pixels = data.subarray(header[0].length)
  if (width === 0 || height === 0 || pixels.length < width * height * PIXEL_BYTES) {
    throw new Error('the picture of the screen is incomplete')
  }
  return { width, height, pixels }
}

function chunk(type: string, data: Uint8Array): Buffer {
  const bytes = Buffer.alloc(12 + data.length)
  bytes.writeUInt32BE(data.length)
  bytes.write(type, 4, 'latin1')
  bytes.set(data, 8)
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length)
  return bytes
}

/** Compresses a picture, on a thread of its own. */
export async function writePng({
  width,
  height,
  pixels,
}: Picture): Promise<Uint8Array<ArrayBuffer>> {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  header.set([BIT_DEPTH, TRUE_COLOUR], 8)
  const row = width * PIXEL_BYTES
  // Each row begins with its filter: none.
  const rows = new Uint8Array((1 + row) * height)
  for (let y = 0; y < height; y++) {
    rows.set(pixels.subarray(y * row, (y + 1) * row), y * (1 + row) + 1)
  }
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', await compress(rows, { level: LEVEL })),
    chunk('IEND', new Uint8Array()),
  ])
}
