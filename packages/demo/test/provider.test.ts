import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ControlPlane } from '@steading/control-plane'
import { ask } from '../src/host/page-fetch.ts'
import { PROVIDER, users } from '../src/provider/provider.ts'
import { signInThrough } from '../src/provider/sign-in.ts'
import { openPage, ORIGIN, startDemo } from './support/page.ts'

let controlPlane: ControlPlane
beforeAll(async () => {
  controlPlane = await startDemo()
})
afterAll(() => controlPlane.stop())

const path = `/login/${PROVIDER.silo}/saml/${PROVIDER.name}/redirect?redirect_uri=%2Fimages`

async function signIn(name: string, at = path) {
  const { jar, fetch } = await openPage(controlPlane, { visitor: '' })
  const asking = (request: Request) => ask(controlPlane, jar, request)
  const user = users.find((each) => each.name === name)!
  const answer = await signInThrough(asking, ORIGIN, at, user)
  const me = await fetch(`${ORIGIN}/v1/me`)
  return { answer, me: (await me.json()) as Record<string, unknown> }
}

describe('the identity provider of the demo', () => {
  it('signs in users with the roles of their groups', async () => {
    const { answer, me } = await signIn('Greta Holm')
    expect(answer).toEqual({ location: '/images' })
    expect(me).toMatchObject({
      display_name: 'Greta Holm',
      silo_name: PROVIDER.silo,
      silo_admin: true,
    })
    expect((await signIn('Piet Visser')).me).toMatchObject({ silo_admin: false })
  })

  it('is not trusted without its signature', async () => {
    const { answer, me } = await signIn('Mallory')
    expect(answer).toMatchObject({ status: 400 })
    expect(answer).toHaveProperty('message', expect.stringContaining('signature does not match'))
    expect(me).not.toHaveProperty('display_name')
  })

  it('reports an unknown provider', async () => {
    const { answer } = await signIn('Greta Holm', '/login/city-archive/saml/nobody/redirect')
    expect(answer).toMatchObject({ status: 404 })
  })
})
