/** Downloads of bundles, and of the files in them. */
import { bundleCannotDownload, supportBundleMessages } from '@steading/api/rules'
import type { Context } from '../../../kernel/context.ts'
import { type Download, serveDownload } from '../../../kernel/download.ts'
import { fail } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { readPieces } from '../../storage/disks/contents.ts'
import { readZip, type ZipEntry } from './zip.ts'

type Bundle = Row<'support_bundle'>
type Call = Pick<Context, 'http' | 'services'>

/** @throws ApiError 400 for a bundle that is not active */
function requireActive({ state }: Bundle): void {
  if (bundleCannotDownload(state)) throw fail.invalidRequest(supportBundleMessages.notActive)
}

const serve = ({ http }: Call, download: Omit<Download, 'unclearRange'>): Response =>
  serveDownload(http, {
    ...download,
    unclearRange: fail.badRequest(supportBundleMessages.badRange),
  })

export function serveBundle(call: Call, bundle: Bundle): Response {
  requireActive(bundle)
  const { id, name, size, volume_id } = bundle
  return serve(call, {
    fileName: `${name}.zip`,
    contentType: 'application/zip',
    size,
    version: id,
    read: (start, end) =>
      readPieces(call.services, { volumeId: volume_id ?? undefined }, start, end),
  })
}

async function entriesOf({ services }: Call, bundle: Bundle): Promise<ZipEntry[]> {
  requireActive(bundle)
  return readZip(services.volumes, bundle.volume_id!, bundle.size)
}

/** The names of the files, one in each line. */
export async function serveIndex(call: Call, bundle: Bundle): Promise<Response> {
  const names = (await entriesOf(call, bundle)).map(({ name }) => `${name}\n`).toSorted()
  const text = new TextEncoder().encode(names.join(''))
  return serve(call, {
    fileName: `${bundle.name}.txt`,
    contentType: 'text/plain; charset=utf-8',
    size: text.length,
    version: `${bundle.id}-index`,
    async *read(start, end) {
      yield text.subarray(start, end)
    },
  })
}

const contentTypes: readonly [ending: string, type: string][] = [
  ['.json', 'application/json'],
  ['.jsonl', 'application/x-ndjson'],
]

/** @throws ApiError 404 for a file that is not in the bundle */
export async function serveFile(call: Call, bundle: Bundle, name: string): Promise<Response> {
  const entry = (await entriesOf(call, bundle)).find((each) => each.name === name)
  if (!entry) throw fail.notFoundByName('support-bundle-file', name)
  const [, contentType = 'application/octet-stream'] =
    contentTypes.find(([ending]) => name.endsWith(ending)) ?? []
  return serve(call, {
    fileName: name.split('/').at(-1)!,
    contentType,
    size: entry.size,
    version: `${bundle.id}-${entry.crc.toString(16)}`,
    read: entry.read,
  })
}
