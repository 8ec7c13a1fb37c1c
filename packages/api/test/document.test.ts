import { apiDocument, type Operation, operationTable } from '@steading/api'
import { access } from '@steading/api/rules'
import { describe, expect, test } from 'vitest'
import committed from '../openapi.json' with { type: 'json' }

const document = apiDocument() as {
  paths: Record<
    string,
    Record<string, { operationId: string; parameters: { in: string; name: string }[] }>
  >
  components: { schemas: Record<string, unknown> }
}
const rows: [string, Operation][] = Object.entries(operationTable)

describe('the operation table', () => {
  test('has one operation per method and path', () => {
    const routes = rows.map(([, { method, path }]) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`)
    expect(new Set(routes).size).toBe(routes.length)
  })

  test.each(rows)('%s declares the parameters of its path', (_id, { path, params }) => {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
    expect(Object.keys(params ?? {})).toEqual(inPath)
  })

  test.each(rows)('%s requires permissions on kinds of the matrix', (_id, { permission }) => {
    if (typeof permission === 'object') {
      expect(Object.keys(access)).toEqual(expect.arrayContaining(Object.keys(permission)))
      expect(Object.keys(permission)).not.toHaveLength(0)
    }
  })

  test('the public operations are the ones named in the specification', () => {
    const open = rows.filter(([, { permission }]) => permission === 'public').map(([id]) => id)
    expect(open.sort()).toEqual([
      'capabilities_view',
      'device_access_token',
      'device_auth_request',
      // A mail for somebody who cannot sign in, and the link in it.
      'forgotten_password',
      'health_live_view',
      'health_ready_view',
      'health_view',
      'login_local',
      'login_oidc',
      'login_oidc_redirect',
      'login_saml',
      'login_saml_redirect',
      'logout',
      'logout_oidc',
      'notification_link_follow',
      'notification_link_view',
      'openapi_view',
      // Signing in with a passkey, or after the password.
      'passkey_login',
      'passkey_login_begin',
      'ping',
      'second_factor_setup',
      'second_factor_setup_begin',
      'second_factor_use',
      'second_factor_view',
      // Data of the login pages.
      'sign_in_page_view',
      // The end of a session, also at its provider.
      'sign_out',
      'signed_out_oidc',
      'user_link_use',
      'user_link_view',
    ])
  })

  test('extensions are under their own prefix', () => {
    for (const [, { path, tags }] of rows) {
      const ours = tags.includes('extensions') || tags.includes('jobs')
      expect(path.startsWith('/x/v1/')).toBe(ours)
    }
  })
})

describe('the document', () => {
  test('equals the committed one', () => {
    expect(JSON.parse(JSON.stringify(document))).toEqual(committed)
  })

  test('has every operation exactly once', () => {
    const ids = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map((operation) => operation.operationId),
    )
    const published = rows.filter(([, { unpublished }]) => !unpublished).map(([id]) => id)
    expect(ids.sort()).toEqual(published.sort())
  })

  test('has no dangling references', () => {
    const text = JSON.stringify(document)
    const references = [...text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)]
    expect(references.length).toBeGreaterThan(100)
    for (const [, name] of references) expect(document.components.schemas).toHaveProperty(name!)
  })
})
