import { expect, test } from 'vitest'
import { seriesNames } from '../src/observability/alert-rules/trial-view.ts'

const [web, db] = ['66f14cc0-4a59-44fc-afdc-2801830f9481', '0b1d7772-9c6e-4f0a-8d0e-0f2b1f0a4c55']
const nameOf = (id: string) => (id === web ? 'web-1' : undefined)

test('series are called by their instances', () => {
  const all = [
    { instanceId: web, siloId: db },
    { instanceId: db, siloId: db },
  ]
  expect(seriesNames(all, nameOf)).toEqual(['web-1', 'instance 0b1d7772'])
  expect(seriesNames(all.slice(0, 1), nameOf)).toEqual(['web-1'])
  expect(seriesNames(all.slice(1), nameOf)).toEqual(['Value'])
})

test('series are called by their other fields', () => {
  const sleds = [{ sledSerial: 'BRM-0001' }, { sledSerial: 'BRM-0002' }]
  expect(seriesNames(sleds)).toEqual(['BRM-0001', 'BRM-0002'])
  expect(seriesNames([{ cpuId: 0 }, { cpuId: 1 }])).toEqual(['cpu 0', 'cpu 1'])
  expect(seriesNames([{}, {}])).toEqual(['Series 1', 'Series 2'])
})
