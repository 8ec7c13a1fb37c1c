import { accessSync, constants, type Dirent, existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { LINKS_BY_PATH } from '@steading/api/rules'
import { errorCode, errorMessage } from '@steading/files'

/** Permits only the console's needs (shell section 21). */
export const consoleContentPolicy =
  "default-src 'self'; style-src 'unsafe-inline' 'self'; frame-src 'none'; object-src 'none'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'"

/** Headers of section 21 for every response, plus isolation from other pages. */
export const securityHeaders = (contentPolicy = consoleContentPolicy): Record<string, string> => ({
  'content-security-policy': contentPolicy,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
})

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.gif': 'image/gif',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.png': 'image/png',
  '.sqlite3': 'application/vnd.sqlite3',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}

/** Best encoding first. */
const encodings = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
] as const

type Encoding = (typeof encodings)[number]['name']

interface StaticFile {
  type: string
  identity: Uint8Array<ArrayBuffer>
  compressed: Partial<Record<Encoding, Uint8Array<ArrayBuffer>>>
}

/** Why a site is not served: it has not been built, or this user cannot read it. */
export type SiteFault = { is: 'missing' } | { is: 'unreadable'; reason: string }

/** The files of a built site, held in memory. */
export interface StaticSite {
  /** The page explains it. */
  fault: SiteFault | undefined
  /** A file below `/assets/`, or 404. File names there change with their content. */
  asset: (path: string, request: Request) => Response
  /** The application's HTML page. */
  page: (request: Request) => Response
  /** The application's HTML page with another status and a `meta` element. */
  pageWith: (request: Request, status: number, meta: { name: string; content: string }) => Response
  /**
   * A file by its path from the root, or undefined. A directory is served by its `index.html`, and
   * a page also without its `.html`. Clients revalidate it on each use.
   */
  file: (path: string, request: Request) => Response | undefined
}

/** Whether an `accept-encoding` header accepts an encoding; `q=0` refuses it. */
export function accepts(header: string | null, encoding: string): boolean {
  if (!header) return false
  for (const part of header.split(',')) {
    const [name, ...parameters] = part.trim().toLowerCase().split(';')
    if (name !== encoding) continue
    return !parameters.some((parameter) => /^\s*q\s*=\s*0(\.0*)?\s*$/.test(parameter))
  }
  return false
}

function listFiles(directory: string): string[] {
  const entries: Dirent[] = readdirSync(directory, { withFileTypes: true, recursive: true })
  return entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)))
}

/** The fault of a built site, if there is one. Reads none of its files. */
export function faultOfSite(directory: string): SiteFault | undefined {
  try {
    accessSync(join(directory, 'index.html'), constants.R_OK)
    for (const name of listFiles(directory)) accessSync(join(directory, name), constants.R_OK)
    return undefined
  } catch (error) {
    return errorCode(error) === 'ENOENT'
      ? { is: 'missing' }
      : { is: 'unreadable', reason: errorMessage(error) }
  }
}

function loadFiles(directory: string): Map<string, StaticFile> {
  const names = new Set(listFiles(directory))
  const read = (name: string) => new Uint8Array(readFileSync(join(directory, name)))
  const files = new Map<string, StaticFile>()
  for (const name of names) {
    const variantOf = encodings.find(({ suffix }) => name.endsWith(suffix))
    if (variantOf && names.has(name.slice(0, -variantOf.suffix.length))) continue
    const compressed: StaticFile['compressed'] = {}
    for (const { name: encoding, suffix } of encodings) {
      if (names.has(name + suffix)) compressed[encoding] = read(name + suffix)
    }
    // Path in URL encoding.
    files.set(`/${name.split(sep).map(encodeURIComponent).join('/')}`, {
      type: types[extname(name)] ?? 'application/octet-stream',
      identity: read(name),
      compressed,
    })
  }
  return files
}

/**
 * Maps the path of a page to a `link` header, by which the browser loads the files of that page at
 * once instead of one after another.
 */
function readLinks(directory: string): (path: string) => string | undefined {
  const file = join(directory, LINKS_BY_PATH)
  if (!existsSync(file)) return () => undefined
  const byPath = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
  const links = Object.entries(byPath)
    // Nearest path above a page first.
    .toSorted(([a], [b]) => b.split('/').length - a.split('/').length)
    .map(([path, link]) => ({
      isAbove: new RegExp(`^${path.replaceAll(/\$\w+/g, '[^/]+')}(/|$)`),
      link,
    }))
  return (path) => links.find(({ isAbove }) => isAbove.test(path))?.link
}

/** Strangers see the page, so it names no files. */
const explanations: Record<SiteFault['is'], string> = {
  missing: `the console has not been built. Run <code>npm start</code>,
  or <code>npm run build</code> and start again.`,
  unreadable: `its user cannot read the files of the console. The log names the file, and so does
  <code>doctor</code>.`,
}
const explanation = (fault: SiteFault | undefined): string => `<!doctype html>
<html lang="en">
  <meta charset="utf-8" />
  <title>Steading</title>
  <p>The control plane is running, but ${explanations[fault?.is ?? 'missing']}</p>
</html>
`

/**
 * Loads a built site into memory, so that no request touches the disk and no path can leave the
 * directory. A missing or unreadable directory gives a site whose page explains that.
 */
export function loadSite(directory: string, contentPolicy?: string): StaticSite {
  const fault = faultOfSite(directory)
  const files = fault ? new Map<string, StaticFile>() : loadFiles(directory)
  const linksOf = fault ? () => undefined : readLinks(directory)
  const headers = securityHeaders(contentPolicy)
  const fallback: StaticFile = {
    type: types['.html']!,
    identity: new TextEncoder().encode(explanation(fault)),
    compressed: {},
  }

  const respond = (file: StaticFile, request: Request, caching: string, status = 200): Response => {
    const accepted = request.headers.get('accept-encoding')
    const encoding = encodings.find(({ name }) => file.compressed[name] && accepts(accepted, name))
    const body = encoding ? file.compressed[encoding.name]! : file.identity
    return new Response(request.method === 'HEAD' ? null : body, {
      status,
      headers: {
        ...headers,
        'content-type': file.type,
        'content-length': String(body.length),
        'cache-control': caching,
        vary: 'accept-encoding',
        ...(encoding ? { 'content-encoding': encoding.name } : {}),
      },
    })
  }

  return {
    fault,
    asset(path, request) {
      const file = files.get(path)
      if (file) return respond(file, request, 'public, max-age=31536000, immutable')
      return new Response('Not Found\n', {
        status: 404,
        headers: { ...headers, 'content-type': types['.txt']!, 'cache-control': 'no-store' },
      })
    },
    page(request) {
      const index = files.get('/index.html')
      if (!index) return respond(fallback, request, 'no-store', 503)
      const response = respond(index, request, 'no-store')
      const link = linksOf(new URL(request.url).pathname)
      if (link) response.headers.set('link', link)
      return response
    },
    pageWith(request, status, { name, content }) {
      const index = files.get('/index.html') ?? fallback
      const escaped = content
        .replaceAll('&', '&amp;')
        .replaceAll('"', '&quot;')
        .replaceAll('<', '&lt;')
      const html = new TextDecoder()
        .decode(index.identity)
        // A function, because `$` in the content would have a special meaning in a replacement
        // text.
        .replace('</head>', () => `<meta name="${name}" content="${escaped}" /></head>`)
      const identity = new TextEncoder().encode(html)
      return respond({ type: index.type, identity, compressed: {} }, request, 'no-store', status)
    },
    file(path, request) {
      const file = path.endsWith('/')
        ? files.get(`${path}index.html`)
        : (files.get(path) ?? files.get(`${path}.html`))
      return file && respond(file, request, 'no-cache')
    },
  }
}
