/** Lists of checksums, as publishers of images have them. */
import { checksumInList, fileNameOf } from '@steading/api/rules'
import { expect, test } from 'vitest'

const [a, b] = ['a'.repeat(64), 'b'.repeat(64)]
const long = 'c'.repeat(128)
const sha256 = (value: string) => ({ algorithm: 'sha256', value })

test.each([
  ['sha256sum', `${b}  other.img\n${a}  image.img\n`, sha256(a)],
  ['binary mode, and CRLF', `${b} *other.img\r\n${a} *image.img\r\n`, sha256(a)],
  ['a folder', `${b}  ./other.img\n${a}  ./image.img`, sha256(a)],
  ['BSD', `SHA256 (other.img) = ${b}\nSHA256 (image.img) = ${a}`, sha256(a)],
  ['OpenSSL 3', `SHA2-256(other.img)= ${b}\nSHA2-256(image.img)= ${a}`, sha256(a)],
  ['OpenSSL 1', `SHA256(other.img)= ${b}\nSHA256(image.img)= ${a}`, sha256(a)],
  ['capitals', `${b}  other.img\n${a.toUpperCase()}  image.img`, sha256(a)],
  ['sizes beside them', `# image.img: 5 bytes\nSHA256 (image.img) = ${a}`, sha256(a)],
  ['two kinds', `${a}  image.img\n${long}  image.img`, { algorithm: 'sha512', value: long }],
  ['nothing but the checksum', a, sha256(a)],
  ['the name of a version', `${a}  image-20260101.img`, sha256(a)],
  ['another file only among several', `${a}  one.img\n${b}  two.img`, undefined],
  ['no supported checksum', `${'d'.repeat(40)}  image.img`, undefined],
  ['a page instead of a list', '<html><body>Not found</body></html>', undefined],
])('a list with %s', (_, list, wanted) => {
  expect(checksumInList(list, ['image.img'])).toEqual(wanted)
})

test('the first name of a file that a list has counts', () => {
  const list = `${a}  newest.img\n${b}  image-20260101.img`
  expect(checksumInList(list, ['latest.img', 'image-20260101.img', 'newest.img'])).toEqual(
    sha256(b),
  )
  expect(checksumInList(list, ['newest.img', 'image-20260101.img'])).toEqual(sha256(a))
  expect(checksumInList(list, ['latest.img'])).toBeUndefined()
})

test.each([
  ['https://images.example/a/image%20one.img?x=/y', 'image one.img'],
  ['https://images.example/%', '%'],
  ['https://images.example', ''],
])('the name of the file at %s', (url, name) => {
  expect(fileNameOf(url)).toBe(name)
})
