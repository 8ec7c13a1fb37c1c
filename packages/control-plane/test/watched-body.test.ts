/** Bodies of downloads, whose caller is checked while they are sent. */
import { expect, test } from 'vitest'
import { streamOf } from '../src/kernel/download.ts'
import { watchedBody } from '../src/transport/watched-body.ts'

const encoder = new TextEncoder()

/** A download of some pieces by a caller who is another one each time, and who may not repeat the call. */
function download(pieces: readonly string[], headers: HeadersInit) {
  let ended = false
  async function* read() {
    try {
      for (const piece of pieces) yield encoder.encode(piece)
    } finally {
      ended = true
    }
  }
  let checks = 0
  const response = watchedBody(new Response(streamOf(read()), { headers }), {
    actor: {} as never,
    authenticate: async () => {
      checks++
      return { actor: {} as never }
    },
    repeat: async () => {
      if (checks > 1) throw new Error('it is gone')
      return new Response(null)
    },
    outages: { notice: () => undefined },
  })
  return { response, checks: () => checks, ended: () => ended }
}

test('a body whose bytes have all been sent is not cut off by what happens then', async () => {
  const { response, checks, ended } = download(['abc'], { 'content-length': '3' })
  expect(await response.text()).toBe('abc')
  expect([checks(), ended()]).toEqual([1, true])
})

test('a body is cut off in the middle when the caller may not have it any more', async () => {
  const { response, ended } = download(['abc', 'def'], { 'content-length': '6' })
  await expect(response.text()).rejects.toThrow('it is gone')
  expect(ended()).toBe(true)
})

test('a body of unknown length is checked to its end', async () => {
  const { response, checks } = download(['abc'], {})
  await expect(response.text()).rejects.toThrow('it is gone')
  expect(checks()).toBe(2)
})
