/** Downloads whose caller is checked while they are sent. */
import { expect, test } from 'vitest'
import { streamOf } from '../src/kernel/download.ts'
import { watchedBody } from '../src/transport/watched-body.ts'

const encoder = new TextEncoder()

/** A download in pieces by a caller that differs at each check, and may not repeat the call. */
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
    outages: { recognize: () => undefined },
  })
  return { response, checks: () => checks, ended: () => ended }
}

test('does not cut off a body whose bytes have all been sent', async () => {
  const { response, checks, ended } = download(['abc'], { 'content-length': '3' })
  expect(await response.text()).toBe('abc')
  expect([checks(), ended()]).toEqual([1, true])
})

test('cuts a body off when the caller loses the permission', async () => {
  const { response, ended } = download(['abc', 'def'], { 'content-length': '6' })
  await expect(response.text()).rejects.toThrow('it is gone')
  expect(ended()).toBe(true)
})

test('checks a body of unknown length to its end', async () => {
  const { response, checks } = download(['abc'], {})
  await expect(response.text()).rejects.toThrow('it is gone')
  expect(checks()).toBe(2)
})
