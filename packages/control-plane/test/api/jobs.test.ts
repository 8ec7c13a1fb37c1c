import { expect, test, beforeAll, afterAll, vi } from 'vitest'
import { startTestServer, type TestServer } from '../support/harness.ts'
import { stoppedInstance } from '../support/things.ts'
let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await server.admin.call('project_create', { body: { name: 'web', description: '' } })
})
afterAll(() => server.close())
test('smoke', async () => {
  const { admin } = server
  const a = await stoppedInstance(admin, { project: 'web' }, 'a')
  const b = await stoppedInstance(admin, { project: 'web' }, 'b')
  const body = {
    action: 'start',
    kind: 'instance',
    project: 'web',
    target: { type: 'ids', ids: [a.id, b.id] },
  }
  const job = await admin.call('job_create', { body })
  console.log(job)
  await admin.call('job_start', { params: { job: job.id } })
  const t = performance.now()
  await vi.waitFor(
    async () => {
      const j = await admin.call('job_view', { params: { job: job.id } })
      expect(j.state).toBe('done')
      console.log(j)
    },
    { timeout: 10000, interval: 5 },
  )
  console.log(performance.now() - t)
  console.log(await admin.call('job_item_list', { params: { job: job.id } }))
  console.log(await admin.call('job_list', { query: { sort_by: 'time_created_descending' } }))
})
