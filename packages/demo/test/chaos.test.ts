import { describe, expect, it } from 'vitest'
import { chaos, chaosOf, outage } from '../src/host/chaos.ts'

function storage() {
  const items = new Map<string, string>()
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
  }
}

describe('chaos', () => {
  it('comes from the address, and persists', () => {
    const tab = storage()
    expect(chaosOf('', tab)).toBe(0)
    expect(chaosOf('?chaos=25', tab)).toBe(25)
    expect(chaosOf('?page=2', tab)).toBe(25)
    expect(chaosOf('?chaos=0', tab)).toBe(0)
    for (const bad of ['-1', '101', 'lots', '']) expect(chaosOf(`?chaos=${bad}`, tab)).toBe(0)
  })

  it('never happens at 0 and always at 100', () => {
    for (let i = 0; i < 100; i++) {
      expect(chaos(0)).toBeUndefined()
      expect(chaos(100)).toBeDefined()
    }
  })

  it('is mostly a 404, and describes itself', async () => {
    const statuses: number[] = []
    for (let i = 0; i < 1000; i++) {
      const response = chaos(100, () => i / 1000)!
      expect(response.headers.get('x-chaos')).toBe('100%')
      statuses.push(response.status)
      if (i > 0) continue
      expect(await response.json()).toMatchObject({
        request_id: response.headers.get('x-request-id'),
        message: expect.any(String),
      })
    }
    const count = (status: number) => statuses.filter((other) => other === status).length
    expect(new Set(statuses)).toEqual(new Set([401, 403, 404, 500]))
    for (const other of [401, 403, 500]) expect(count(404)).toBeGreaterThan(count(other))
  })
})

describe('outage', () => {
  it.each([
    ['/v1/projects/my-error-503', 503],
    ['/v1/projects/my-error-503/policy', 503],
    ['/v1/instances?project=my-error-503', 503],
    ['/v1/projects/mine', undefined],
    ['/v1/projects', undefined],
    ['/v1/instances?project=error-503-not', undefined],
  ])('%s', (path, status) => {
    expect(outage(new URL(path, 'http://demo.test'))?.status).toBe(status)
  })
})
