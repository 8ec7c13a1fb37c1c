/** Disks deleted while their bytes are read. */
import { GiB } from '@steading/api/rules'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { startTestServer, type TestServer } from '../support/harness.ts'

/** Reading this much takes seconds. */
const SIZE = 40 * GiB

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await server.admin.call('project_create', { body: { name: 'work', description: '' } })
})
afterAll(() => server.close())

/** A disk that is deleted once part of it has been read. */
async function passingDisk(name: string): Promise<string> {
  const { id } = await server.admin.call('disk_create', {
    query: { project: 'work' },
    body: {
      name,
      description: '',
      size: SIZE,
      disk_backend: { type: 'distributed', disk_source: { type: 'blank', block_size: 4096 } },
    },
  })
  const { faults } = server.host.controlPlane.engines
  let reads = 0
  faults.inject((action) => {
    if (action !== 'readVolume' || reads++ !== 3) return
    void server.admin.call('disk_delete', { params: { disk: id } })
  })
  onTestFinished(() => faults.inject())
  return id
}

test('the answer with a checksum is cut off when its disk is deleted', async () => {
  const info = vi.spyOn(console, 'log').mockImplementation(() => {})
  onTestFinished(() => info.mockRestore())
  const problem = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => problem.mockRestore())
  const disk = await passingDisk('summed')
  const read = async () => (await server.admin.fetch(`/x/v1/disks/${disk}/checksum`)).text()
  await expect(read()).rejects.toThrow(/^(terminated|fetch failed)$/)
  await vi.waitFor(() => expect(info.mock.calls.flat().join()).toContain('was cut short'), 30_000)
  expect(problem).not.toHaveBeenCalled()
})

test('one line with the request ID is logged when a disk is deleted during its download', async () => {
  const info = vi.spyOn(console, 'log').mockImplementation(() => {})
  onTestFinished(() => info.mockRestore())
  const problem = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => problem.mockRestore())
  const disk = await passingDisk('read')
  const response = await server.admin.fetch(`/x/v1/disks/${disk}/contents`)
  const reader = response.body!.getReader()
  const rest = async () => {
    while (!(await reader.read()).done);
  }
  await expect(rest()).rejects.toThrow('terminated')
  const id = response.headers.get('x-request-id')
  await vi.waitFor(() => expect(info).toHaveBeenCalledTimes(1), 30_000)
  const cut = `GET /x/v1/disks/${disk}/contents was cut short (request ${id})`
  expect(info.mock.calls[0]).toEqual([`${cut}: not found: disk with id "${disk}"`])
  expect(problem).not.toHaveBeenCalled()
  expect(await server.host.controlPlane.metrics()).toMatch(
    /^steading_downloads_total\{outcome="refused"\} [12]$/m,
  )
})
