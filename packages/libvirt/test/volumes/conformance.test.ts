/** Volumes in qcow2 files pass the conformance tests of the control plane. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type EnginesUnderTest,
  volumesConform,
} from '../../../control-plane/test/conformance/engines.ts'
import { startVolumes, type TestVolumes, volumesMissing } from '../support/volumes.ts'

const missing = await volumesMissing()
if (missing) console.warn(`The tests of qcow2 volumes are left out: ${missing}.`)

describe.skipIf(missing)('qcow2 volumes', () => {
  let host: TestVolumes
  beforeAll(async () => {
    host = await startVolumes()
  })
  afterAll(() => host.remove())
  volumesConform(() => ({ volumes: host.volumes }) as unknown as EnginesUnderTest)

  test('log nothing', () => {
    expect(host.log.mock.calls).toEqual([])
  })
})
