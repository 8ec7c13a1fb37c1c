import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ControlPlane } from '@steading/control-plane'
import { createPageFetch } from '../src/host/page-fetch.ts'
import { PASSWORD } from '../src/seed/people.ts'
import { openPage, ORIGIN, startDemo } from './support/page.ts'

let controlPlane: ControlPlane
beforeAll(async () => void (controlPlane = await startDemo()))
afterAll(() => controlPlane.stop())

const json = { 'content-type': 'application/json' }

describe('fetch of the page', () => {
  it('answers the API from the control plane, signed in as the default user', async () => {
    const page = await openPage(controlPlane)
    const response = await page.fetch('/v1/me')
    expect(await response.json()).toMatchObject({
      display_name: 'Marta Lindqvist',
      fleet_viewer: true,
      silo_admin: true,
    })
    expect(page.sent).toEqual([])
  })

  it('signs in another user, and the default user for an unknown name', async () => {
    const nameOf = async (visitor: string) => {
      const { fetch } = await openPage(controlPlane, { visitor })
      return ((await (await fetch('/v1/me')).json()) as { display_name: string }).display_name
    }
    expect(await nameOf('Priya Raman')).toBe('Priya Raman')
    expect(await nameOf('Nobody Else')).toBe('Marta Lindqvist')
  })

  it('leaves files and other sites to the network', async () => {
    const page = await openPage(controlPlane)
    await page.fetch('/assets/a.js')
    await page.fetch('/login/main/local')
    await page.fetch(new Request('https://example.com/v1/me'))
    expect(page.sent).toEqual(['/assets/a.js', '/login/main/local', 'https://example.com/v1/me'])
  })

  it('passes on bodies in any form', async () => {
    const { fetch } = await openPage(controlPlane)
    const body = (name: string) => JSON.stringify({ name, description: 'ünïcode' })
    const created = await fetch('/v1/projects', {
      method: 'POST',
      headers: json,
      body: body('one'),
    })
    expect(created.status).toBe(201)
    const again = await fetch(
      new Request(`${ORIGIN}/v1/projects`, { method: 'POST', headers: json, body: body('two') }),
    )
    expect(await again.json()).toMatchObject({ name: 'two', description: 'ünïcode' })
  })

  it('signs out and in again, with the right password only', async () => {
    const { fetch, jar } = await openPage(controlPlane)
    expect((await fetch('/v1/logout', { method: 'POST' })).status).toBe(204)
    expect(jar.header()).toBeUndefined()
    expect((await fetch('/v1/me')).status).toBe(401)

    const login = (password: string) =>
      fetch('/v1/login/main/local', {
        method: 'POST',
        headers: json,
        body: JSON.stringify({ username: 'admin', password }),
      })
    expect((await login('bad')).status).toBe(401)
    expect((await login('')).status).toBe(401)
    expect(jar.header()).toBeUndefined()
    expect((await login(PASSWORD)).status).toBe(204)
    expect(jar.header()).toMatch(/^session=[0-9a-f]{40}; silo=main; device=/)
    expect((await fetch('/v1/me')).status).toBe(200)
  })

  it('keeps the cookie of a sign-in that asks for a second factor', async () => {
    const { fetch } = await openPage(controlPlane)
    const body = JSON.stringify({ username: 'sofia-marchetti', password: PASSWORD })
    const login = await fetch('/v1/login/main/local', { method: 'POST', headers: json, body })
    expect(login.status).toBe(403)
    const step = await fetch('/x/v1/login/main/second-factor')
    expect(await step.json()).toMatchObject({ methods: ['totp'] })
  })

  it('streams events until it is aborted', async () => {
    const { fetch } = await openPage(controlPlane)
    const ending = new AbortController()
    const stream = await fetch('/x/v1/events', { signal: ending.signal })
    const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader()
    await reader.read()
    await fetch('/v1/projects', {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ name: 'three', description: '' }),
    })
    expect((await reader.read()).value).toContain('"name":"three"')
    ending.abort()
    for (;;) if ((await reader.read()).done) break
  })

  it('fails at random, and for projects that are out of order', async () => {
    const unlucky = await openPage(controlPlane, { chaosPercent: 100 })
    expect((await unlucky.fetch('/v1/me')).headers.get('x-chaos')).toBe('100%')
    const { fetch } = await openPage(controlPlane)
    expect((await fetch('/v1/projects/some-error-503')).status).toBe(503)
  })

  it('has a latency, unless it is aborted', async () => {
    const options = {
      ready: Promise.resolve(controlPlane),
      jar: (await openPage(controlPlane)).jar,
      location: { origin: ORIGIN, href: ORIGIN },
      fetch: globalThis.fetch,
      chaosPercent: 0,
    }
    const waits: number[] = []
    const wait = async (milliseconds: number) => void waits.push(milliseconds)
    await createPageFetch({ ...options, wait })('/v1/ping')
    expect(waits).toHaveLength(1)
    expect(waits[0]).toBeGreaterThanOrEqual(200)
    const fetch = createPageFetch(options)
    await expect(fetch('/v1/ping', { signal: AbortSignal.timeout(10) })).rejects.toThrow(
      expect.objectContaining({ name: 'TimeoutError' }),
    )
  })
})
