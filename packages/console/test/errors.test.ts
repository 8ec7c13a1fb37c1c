import { describe, expect, test } from 'vitest'
import { errorMessage, toApiError } from '../src/data/errors.ts'

const failure = (message?: string, errorCode?: string) => ({
  type: 'error' as const,
  status: 400,
  headers: new Headers(),
  data: { message, errorCode },
})

describe('error message rules, first match wins', () => {
  test.each([
    ['projectList', failure('Forbidden', 'Forbidden'), 'Action not authorized'],
    ['projectList', failure('the token may only read', 'Forbidden'), 'The token may only read'],
    [
      'projectView',
      failure('not found: project with name "x"', 'ObjectNotFound'),
      'Not found: project with name "x"',
    ],
    [
      'projectCreate',
      failure('already exists: project "x"', 'ObjectAlreadyExists'),
      'Project name already exists',
    ],
    [
      'instanceCreate',
      failure('already exists: disk "x"', 'ObjectAlreadyExists'),
      'Disk name already exists',
    ],
    [
      'instanceNetworkInterfaceCreate',
      failure('taken', 'ObjectAlreadyExists'),
      'Interface name already exists',
    ],
    ['vpcSubnetsCreate', failure(undefined, 'ObjectAlreadyExists'), 'Subnet name already exists'],
    ['projectUpdate', failure('taken', 'ObjectAlreadyExists'), 'Taken'],
    [
      'projectCreate',
      failure('unable to parse JSON body: name is bad at line 1 column 9'),
      'Name is bad',
    ],
    ['projectCreate', failure('something else'), 'Something else'],
    ['projectCreate', failure(), 'Unknown server error'],
  ])('%s %o', (operation, given, expected) => {
    expect(errorMessage(operation, given)).toBe(expected)
  })

  test('an answer that is not JSON keeps its status only', () => {
    const error = toApiError('projectList', {
      type: 'client_error',
      status: 502,
      headers: new Headers(),
      text: '<html>',
      error: new Error('not JSON'),
    })
    expect(error.message).toBe('Error reading API response')
    expect([error.statusCode, error.errorCode, error.requestId]).toEqual([
      502,
      undefined,
      undefined,
    ])
  })

  test.each([
    ['a validation', { message: '[{"code":"invalid_type","path":["items",0]}]' }],
    ['an object for a message', { message: { issues: ['items'] } }],
    ['a text', 'Internal Server Error'],
    ['a list', [1, 2]],
    ['null', null],
  ])('an error with %s has a message, a request and details', (_, data) => {
    const error = toApiError('projectList', {
      type: 'error',
      status: 500,
      headers: new Headers({ 'x-request-id': 'r-1' }),
      data: data as never,
    })
    expect(error.message).toMatch(/^The server has answered with .* \(request r-1\)$/)
    expect(error.requestId).toBe('r-1')
    expect(error.details).toBeTruthy()
  })
})
