/** Pictures of screens: PPM to PNG. */
import { inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { readPpm, writePng } from '../src/png.ts'

const ppm = (header: string, pixels: readonly number[]) =>
  Buffer.concat([Buffer.from(header), Buffer.from(pixels)])

const twoByTwo = [255, 0, 0, 0, 255, 0, 0, 0, 255, 9, 8, 7]

test.each(['P6\n2 2\n255\n', 'P6 2 2 255 ', 'P6\n# QEMU\n2 2\n255\n'])(
  'a picture is read after the header %j',
  (header) => {
    const picture = readPpm(ppm(header, twoByTwo))
    expect(picture).toMatchObject({ width: 2, height: 2 })
    expect([...picture.pixels]).toEqual(twoByTwo)
  },
)

test.each([
  ['', 'not in the format PPM'],
  ['P5\n2 2\n255\n', 'not in the format PPM'],
  ['P6\n2 2\n65535\n', 'not in the format PPM'],
  ['P6\n2 3\n255\n', 'incomplete'],
  ['P6\n0 2\n255\n', 'incomplete'],
])('a picture with the header %j is refused', (header, message) => {
  expect(() => readPpm(ppm(header, twoByTwo))).toThrow(message)
})

test('a PNG has the same pixels in rows without a filter', async () => {
  const png = Buffer.from(await writePng({ width: 2, height: 2, pixels: Buffer.from(twoByTwo) }))
  expect(png.toString('latin1', 1, 4)).toBe('PNG')
  const chunks: [string, Buffer][] = []
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at)
    chunks.push([png.toString('latin1', at + 4, at + 8), png.subarray(at + 8, at + 8 + length)])
    at += 12 + length
  }
  expect(chunks.map(([type]) => type)).toEqual(['IHDR', 'IDAT', 'IEND'])
  expect([...chunks[0]![1]]).toEqual([0, 0, 0, 2, 0, 0, 0, 2, 8, 2, 0, 0, 0])
  const [top, bottom] = [twoByTwo.slice(0, 6), twoByTwo.slice(6)]
  expect([...inflateSync(chunks[1]![1])]).toEqual([0, ...top, 0, ...bottom])
})
