/** Readings of the host and of machines, from texts of Linux and statistics of libvirt. */
import { expect, test } from 'vitest'
import { bootTime, cpuReadings, linkReadings } from '../src/measurements/host.ts'
import { vcpuReadings } from '../src/measurements/machines.ts'

test('the times of a processor', () => {
  const stat = 'cpu  9 9 9 9 9 9 9 0 0 0\ncpu0 1 2 3 4 5 6 7 0 0 0\nintr 5\nbtime 1700000000\n'
  expect(bootTime(stat)).toBe(1_700_000_000_000)
  expect(cpuReadings(stat)).toEqual([
    ['cpu_nsec', 3e7, { cpu_id: 0, state: 'user' }],
    ['cpu_nsec', 3e7, { cpu_id: 0, state: 'kernel' }],
    ['cpu_nsec', 13e7, { cpu_id: 0, state: 'intr' }],
    ['cpu_nsec', 9e7, { cpu_id: 0, state: 'idle' }],
  ])
})

test('the counters of a link', () => {
  const dev = [
    'Inter-|   Receive                                                |  Transmit',
    ' face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs',
    '  eth0: 10 2 3 0 0 0 0 0 20 4 5 0 0 0 0 0',
    '',
  ].join('\n')
  expect(linkReadings(dev)).toEqual(
    new Map([
      [
        'eth0',
        [
          ['bytes_received', 10],
          ['packets_received', 2],
          ['errors_received', 3],
          ['bytes_sent', 20],
          ['packets_sent', 4],
          ['errors_sent', 5],
        ],
      ],
    ]),
  )
})

test('the times of a virtual processor add up to the time since its start', () => {
  const stats = {
    'cpu.time': 900e6,
    'vcpu.0.time': 300e6,
    'vcpu.0.delay': 50e6,
    'vcpu.1.time': 400e6,
    'vcpu.1.wait': 20e6,
  }
  const readings = vcpuReadings(stats, 2, 1_000)
  for (const id of [0, 1]) {
    const its = readings.filter(([, , fields]) => fields!.vcpu_id === id)
    expect(its.reduce((sum, [, value]) => sum + value!, 0)).toBe(1e9)
  }
  expect(readings[0]).toEqual(['vcpu_usage', 300e6, { state: 'run', vcpu_id: 0 }])
  expect(readings[2]).toEqual(['vcpu_usage', 100e6, { state: 'emulation', vcpu_id: 0 }])
})
