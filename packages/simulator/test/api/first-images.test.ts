import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { GiB } from '@steading/api/rules'
import { viewConsole } from '../../../control-plane/test/support/console.ts'
import { startTestServer, type TestServer } from '../../../control-plane/test/support/harness.ts'
import { reaches, smallInstance } from '../../../control-plane/test/support/things.ts'

let server: TestServer
beforeAll(async () => void (server = await startTestServer()))
afterAll(() => server.close())

test('every image that a first start offers boots to a prompt', async () => {
  const { admin } = server
  await admin.call('project_create', { body: { name: 'first', description: '' } })
  const { items } = await admin.call('image_list', {})
  expect(items).not.toEqual([])
  for (const { id: image_id, name, size } of items) {
    const { id } = await admin.call('instance_create', {
      query: { project: 'first' },
      body: smallInstance(name, {
        start: true,
        boot_disk: {
          type: 'create',
          name: `${name}-boot`,
          description: '',
          size: Math.max(size, GiB),
          disk_backend: { type: 'distributed', disk_source: { type: 'image', image_id } },
        },
      }),
    })
    await reaches(admin, id, 'running')
    const view = viewConsole(server.url, admin, id)
    await view.opened
    await vi.waitFor(() => expect(view.seen()).toContain(`${name}:~# `), 30_000)
  }
})
