import { composeOperations, type Operation } from '@steading/api'
import { expect, test } from 'vitest'
import { bytes } from '../src/schema.ts'

const operation = (method: Operation['method'], path: string): Operation => ({
  method,
  path,
  tags: [],
  summary: '',
  permission: 'public',
  success: { status: 204 },
})
const view = operation('GET', '/v1/things/{thing}')

test('tables of resources become one table', () => {
  const remove = operation('DELETE', '/v1/things/{thing}')
  const both = composeOperations({ view }, { remove })
  expect(both).toEqual({ view, remove })
  expect(both.remove.method).toBe('DELETE')
})

test('an operation id stands in one table only', () => {
  expect(() => composeOperations({ view }, { view: operation('GET', '/v1/other') })).toThrow(
    'two operations have the id view',
  )
})

test('a method and path have one operation, with any names of parameters', () => {
  const twice = () => composeOperations({ view }, { show: operation('GET', '/v1/things/{id}') })
  expect(twice).toThrow('view and show both answer GET /v1/things/{}')
})

test('a body that is read as it arrives cannot be read again by a transaction', () => {
  const upload: Operation = {
    ...operation('PUT', '/v1/upload'),
    body: bytes,
    bodyType: 'application/octet-stream',
    streamed: true,
  }
  expect(() => composeOperations({ upload })).toThrow('upload cannot run in one transaction')
  expect(composeOperations({ upload: { ...upload, transaction: 'own' } })).toHaveProperty('upload')
})
