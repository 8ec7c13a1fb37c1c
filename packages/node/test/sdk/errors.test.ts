import Oxide from '@oxide/api'
import { GiB } from '@steading/api/rules'
import { expect, test } from 'vitest'
import { eventually, ok, refusal, signIn, startHost } from './client.ts'

const query = { project: 'web' }

test('errors reach the published client with their status, code, message and request id', async () => {
  const host = await startHost()
  const strangers = new Oxide({ host }).methods
  expect(ok(await strangers.ping({}))).toEqual({ status: 'ok' })
  expect(refusal(await strangers.projectList({}))).toEqual({
    status: 401,
    errorCode: 'Unauthorized',
    message: 'credentials missing or invalid',
  })
  const wrong = { username: 'admin', password: 'not the password' }
  expect(
    refusal(await strangers.loginLocal({ path: { siloName: 'main' }, body: wrong })),
  ).toMatchObject({ status: 401, errorCode: 'Unauthorized' })

  const { methods: api } = await signIn(host)
  const project = { name: 'web', description: '' }
  ok(await api.projectCreate({ body: project }))
  expect(refusal(await api.projectCreate({ body: project }))).toEqual({
    status: 400,
    errorCode: 'ObjectAlreadyExists',
    message: 'already exists: project "web"',
  })
  expect(refusal(await api.instanceView({ path: { instance: 'none' }, query }))).toEqual({
    status: 404,
    errorCode: 'ObjectNotFound',
    message: 'not found: instance with name "none"',
  })
  const nobody = '9c80740f-cba6-4ca2-8d96-ef5c78006499'
  expect(refusal(await api.diskView({ path: { disk: nobody } }))).toEqual({
    status: 404,
    errorCode: 'ObjectNotFound',
    message: `not found: disk with id "${nobody}"`,
  })
  // A list requires its project, and an id excludes it.
  expect(refusal(await api.diskList({}))).toMatchObject({
    status: 400,
    message: 'unable to parse query string: missing field `project`',
  })
  expect(refusal(await api.diskView({ path: { disk: nobody }, query }))).toMatchObject({
    status: 400,
    errorCode: 'InvalidRequest',
    message: 'when providing disk as an ID project should not be specified',
  })

  // Invalid requests have no code.
  const bad = await api.projectCreate({ body: { name: 'Web', description: '' } })
  expect(refusal(bad)).toEqual({
    status: 400,
    message:
      'unable to parse JSON body: name: name must begin with an ASCII lowercase character at line 1 column 13',
  })

  const machine = {
    name: 'machine',
    description: '',
    hostname: 'machine',
    ncpus: 1,
    memory: GiB,
  }
  const { id } = ok(await api.instanceCreate({ query, body: machine }))
  const path = { instance: id }
  await eventually(async () => {
    expect(ok(await api.instanceView({ path })).runState).toBe('running')
  })
  expect(
    refusal(
      await api.instanceUpdate({
        path,
        body: {
          ncpus: 2,
          memory: GiB,
          bootDisk: null,
          autoRestartPolicy: null,
          cpuPlatform: null,
          enableJumboFrames: false,
        },
      }),
    ),
  ).toEqual({
    status: 409,
    errorCode: 'Conflict',
    message: 'instance must be stopped to change CPU or memory',
  })
  expect(
    refusal(
      await api.instanceCreate({
        query,
        body: { ...machine, name: 'little', memory: GiB / 2 },
      }),
    ),
  ).toEqual({
    status: 400,
    errorCode: 'InvalidValue',
    message: 'unsupported value for "size": memory must be at least 1 GiB',
  })
  // Larger than any sled.
  const large = { ...machine, name: 'large', ncpus: 254, start: false }
  ok(await api.instanceCreate({ query, body: large }))
  await eventually(async () => {
    const instance = { instance: 'large' }
    expect(ok(await api.instanceView({ path: instance, query })).runState).toBe('stopped')
  })
  expect(refusal(await api.instanceStart({ path: { instance: 'large' }, query }))).toMatchObject({
    status: 507,
    errorCode: 'InsufficientCapacity',
  })
})
