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
  test('answers each method and path once', () => {
    const routes = rows.map(([, { method, path }]) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`)
    expect(new Set(routes).size).toBe(routes.length)
  })

  test.each(rows)('%s declares the parameters of its path', (_id, { path, params }) => {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
    expect(Object.keys(params ?? {})).toEqual(inPath)
  })

  test.each(rows)('%s needs permission on kinds that are in the matrix', (_id, { permission }) => {
    if (typeof permission === 'object') {
      expect(Object.keys(access)).toEqual(expect.arrayContaining(Object.keys(permission)))
      expect(Object.keys(permission)).not.toHaveLength(0)
    }
  })

  test('the public operations are those that the specification names', () => {
    const open = rows.filter(([, { permission }]) => permission === 'public').map(([id]) => id)
    expect(open.sort()).toEqual([
      'capabilities_view',
      'device_access_token',
      'device_auth_request',
      'health_live_view',
      'health_ready_view',
      'health_view',
      'login_local',
      'login_saml',
      'login_saml_redirect',
      'logout',
      'openapi_view',
      'ping',
      // What the login pages show.
      'sign_in_page_view',
    ])
  })

  test('what this product adds stands under its own prefix', () => {
    for (const [, { path, tags }] of rows) {
      const ours = tags.includes('extensions') || tags.includes('jobs')
      expect(path.startsWith('/x/v1/')).toBe(ours)
    }
  })
})

describe('the document', () => {
  test('is the one that is committed', () => {
    expect(JSON.parse(JSON.stringify(document))).toEqual(committed)
  })

  test('has every operation once', () => {
    const ids = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map((operation) => operation.operationId),
    )
    const published = rows.filter(([, { unpublished }]) => !unpublished).map(([id]) => id)
    expect(ids.sort()).toEqual(published.sort())
  })

  test('refers only to what is in it', () => {
    const text = JSON.stringify(document)
    const references = [...text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)]
    expect(references.length).toBeGreaterThan(100)
    for (const [, name] of references) expect(document.components.schemas).toHaveProperty(name!)
  })
})
