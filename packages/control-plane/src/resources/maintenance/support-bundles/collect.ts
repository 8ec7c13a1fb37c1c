import { BUNDLE_BYTES_MAX, BUNDLE_MANIFEST } from '@steading/api/rules'
import type { ControlPlaneServices } from '../../../kernel/services.ts'
import { type BundleFile, bundleFiles } from './contents.ts'
import { redacted } from './redact.ts'
import { writeZip } from './zip.ts'

/** Space for the end of a zip file. */
const END_BYTES = 256 * 1024
/** Size limit of one file; the rest is cut off. */
const FILE_BYTES_MAX = BUNDLE_BYTES_MAX / 4

interface Listed {
  name: string
  /** In bytes. */
  size: number
  sha256: string
  /** The reason why the contents are incomplete. */
  problem?: string
}

/** The bytes of a file, counted and hashed on the way. */
async function* summedUp(
  { native, outages }: ControlPlaneServices,
  { name, contents }: BundleFile,
  most: number,
  done: (file: Listed) => void,
): AsyncGenerator<Uint8Array> {
  const sum = native.sha256()
  let size = 0
  let problem: string | undefined
  try {
    for await (const piece of contents) {
      if (size + piece.length > most) {
        problem = 'cut off, because it is too long'
        break
      }
      size += piece.length
      sum.update(piece)
      yield piece
    }
  } catch (error) {
    // An outage ends the collection; any other error with one file leaves the other files in.
    if (outages.recognize(error)) throw error
    problem = redacted(error instanceof Error ? error.message : String(error))
  }
  done({ name, size, sha256: sum.digest(), ...(problem === undefined ? {} : { problem }) })
}

/**
 * Collects a bundle into a volume.
 * @param throwIfEnded called repeatedly; throws to end the work
 * @returns size of the bundle in bytes
 */
export async function collectBundle(
  services: ControlPlaneServices,
  bundle: { id: string; time_created: string },
  volumeId: string,
  throwIfEnded: () => Promise<void>,
): Promise<number> {
  const { volumes, clock } = services
  const now = clock()
  await volumes.create(volumeId, { size: BUNDLE_BYTES_MAX, blockSize: 512 })
  const zip = await writeZip(volumes, volumeId, throwIfEnded)
  const files: Listed[] = []
  for await (const file of bundleFiles(services, now)) {
    await throwIfEnded()
    const most = Math.min(FILE_BYTES_MAX, BUNDLE_BYTES_MAX - END_BYTES - zip.size())
    const summed = summedUp(services, file, most, (listed) => void files.push(listed))
    await zip.add(file.name, now, summed)
  }
  const manifest = {
    bundle: bundle.id,
    time_created: bundle.time_created,
    time_collected: now.toISOString(),
    files,
  }
  const text = new TextEncoder().encode(`${JSON.stringify(manifest, null, 2)}\n`)
  await zip.add(
    BUNDLE_MANIFEST,
    now,
    (async function* () {
      yield text
    })(),
  )
  const size = await zip.close()
  await volumes.seal(volumeId)
  return size
}
