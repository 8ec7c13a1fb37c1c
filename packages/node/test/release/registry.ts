/** A registry with the packages of a release, for `npm install`. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { basename, join } from 'node:path'
import { execFileSync } from 'node:child_process'

interface Manifest {
  name: string
  version: string
}

export interface Registry {
  url: string
  close: () => void
}

/** Serves the package archives of a directory. */
export async function serveRegistry(directory: string): Promise<Registry> {
  const archives = new Map<string, Buffer>()
  const manifests = new Map<string, { manifest: Manifest; file: string }>()
  for (const file of globSync(join(directory, '*.tgz'))) {
    const text = execFileSync('tar', ['-xzOf', file, 'package/package.json'], { encoding: 'utf8' })
    const manifest = JSON.parse(text) as Manifest
    archives.set(`/${basename(file)}`, readFileSync(file))
    manifests.set(`/${manifest.name}`, { manifest, file: basename(file) })
  }
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '')
    const archive = archives.get(path)
    if (archive) return void response.end(archive)
    const found = manifests.get(path)
    if (!found) return void response.writeHead(404).end()
    const { manifest, file } = found
    const sum = createHash('sha512')
      .update(archives.get(`/${file}`)!)
      .digest('base64')
    const dist = { tarball: `${url}/${file}`, integrity: `sha512-${sum}` }
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify({
        name: manifest.name,
        'dist-tags': { latest: manifest.version },
        versions: { [manifest.version]: { ...manifest, dist } },
      }),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  return { url, close: () => void server.close() }
}
