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

test('the tables of the resources are merged into one', () => {
  const remove = operation('DELETE', '/v1/things/{thing}')
  const both = composeOperations({ view }, { remove })
  expect(both).toEqual({ view, remove })
  expect(both.remove.method).toBe('DELETE')
})

test('two tables cannot share an operation id', () => {
  expect(() => composeOperations({ view }, { view: operation('GET', '/v1/other') })).toThrow(
    'two operations have the id view',
  )
})

test('two operations cannot share a method and path, whatever the parameter names', () => {
  const twice = () => composeOperations({ view }, { show: operation('GET', '/v1/things/{id}') })
  expect(twice).toThrow('view and show both answer GET /v1/things/{}')
})

test('a streamed body cannot be combined with a transaction, which may be repeated', () => {
  const upload: Operation = {
    ...operation('PUT', '/v1/upload'),
    body: bytes,
    bodyType: 'application/octet-stream',
    streamed: true,
  }
  expect(() => composeOperations({ upload })).toThrow('upload cannot run in one transaction')
  expect(composeOperations({ upload: { ...upload, transaction: 'own' } })).toHaveProperty('upload')
})
