import { mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeReadable } from '../../../scripts/sites.ts'
import { checkProgram } from '../src/doctor/program.ts'
import { accepts, consoleContentPolicy, loadSite, type StaticSite } from '../src/static.ts'
import { temporaryDirectory } from './support/process.ts'

function site(): StaticSite {
  const directory = temporaryDirectory()
  mkdirSync(join(directory, 'assets/fonts'), { recursive: true })
  const files = {
    '.stamp': 'secret',
    '.links-by-path.json': JSON.stringify({
      '/projects': '</assets/projects.js>; rel=modulepreload',
      '/projects/$project/disks': '</assets/disks.js>; rel=modulepreload',
    }),
    'index.html': '<!doctype html>',
    'assets/app-1.js': 'identity',
    'assets/app-1.js.br': 'brotli',
    'assets/app-1.js.gz': 'gzip',
    'assets/plain.css': 'css',
    'assets/archive.gz': 'a file of its own',
    'assets/fonts/a b.woff2': 'font',
  }
  for (const [name, content] of Object.entries(files)) writeFileSync(join(directory, name), content)
  return loadSite(directory)
}

const get = (headers: Record<string, string> = {}, method = 'GET') =>
  new Request('http://host/', { headers, method })

test('assets are cached for a year, with the security headers of every page', async () => {
  const response = site().asset('/assets/app-1.js', get())
  expect(await response.text()).toBe('identity')
  expect(Object.fromEntries(response.headers)).toEqual({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-length': '8',
    'content-security-policy': consoleContentPolicy,
    'content-type': 'text/javascript; charset=utf-8',
    vary: 'accept-encoding',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
  })
})

test.each([
  ['gzip, deflate, br', 'br', 'brotli'],
  ['gzip', 'gzip', 'gzip'],
  ['br;q=0, gzip;q=0.5', 'gzip', 'gzip'],
  ['deflate', null, 'identity'],
  ['gzip;q=0', null, 'identity'],
])('a client that accepts "%s" gets %s', async (accepted, encoding, text) => {
  const response = site().asset('/assets/app-1.js', get({ 'accept-encoding': accepted }))
  expect(response.headers.get('content-encoding')).toBe(encoding)
  expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  expect(await response.text()).toBe(text)
})

test('a compressed file without an original is a plain file', async () => {
  const response = site().asset('/assets/archive.gz', get({ 'accept-encoding': 'gzip' }))
  expect(await response.text()).toBe('a file of its own')
  expect(response.headers.get('content-encoding')).toBeNull()
  expect(response.headers.get('content-type')).toBe('application/octet-stream')
})

test('HEAD has the headers without the body', async () => {
  const response = site().asset('/assets/plain.css', get({}, 'HEAD'))
  expect(response.headers.get('content-length')).toBe('3')
  expect(await response.text()).toBe('')
})

test.each(['/assets/nothing.js', '/assets/', '/assets/../index.html', '/assets/%2e%2e/.stamp'])(
  '%s is not found, and not cached',
  (path) => {
    const response = site().asset(path, get())
    expect(response.status).toBe(404)
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('x-frame-options')).toBe('DENY')
  },
)

test('hidden files are not served', () => {
  expect(site().file('/.stamp', get())).toBeUndefined()
})

test('names are compared in URL encoding', async () => {
  const response = site().asset('/assets/fonts/a%20b.woff2', get())
  expect(response.headers.get('content-type')).toBe('font/woff2')
  expect(await response.text()).toBe('font')
})

test('the page is never cached', async () => {
  const response = site().page(get())
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.headers.get('content-security-policy')).toBe(consoleContentPolicy)
  expect(await response.text()).toBe('<!doctype html>')
})

test('a missing build of the console is reported', async () => {
  const response = loadSite(join(temporaryDirectory(), 'dist')).page(get())
  expect(response.status).toBe(503)
  expect(await response.text()).toContain('npm run build')
})

test('an unreadable build is reported differently from a missing one, without paths in the answer', async () => {
  const directory = join(temporaryDirectory(), 'dist')
  mkdirSync(directory)
  writeFileSync(join(directory, 'index.html'), '<!doctype html>')
  // A link to itself is unreadable for every user.
  symlinkSync('index.html', join(directory, 'index.html.br'))
  expect(loadSite(directory).fault).toBeUndefined()
  rmSync(join(directory, 'index.html'))
  symlinkSync('index.html', join(directory, 'index.html'))
  const site = loadSite(directory)
  expect(site.fault).toEqual({ is: 'unreadable', reason: expect.stringContaining(directory) })
  const response = site.page(get())
  expect(response.status).toBe(503)
  const text = await response.text()
  expect(text).toContain('cannot read the files of the console')
  expect(text).not.toContain(directory)
  const [, , console] = checkProgram({ console: directory, docs: directory })
  expect(console).toMatchObject({
    level: 'problem',
    text: expect.stringMatching(/^cannot be read: /),
    advice: `make the files in ${directory} readable by the user of the server`,
  })
})

test('files of a build are made readable by everybody', () => {
  const directory = join(temporaryDirectory(), 'dist')
  mkdirSync(join(directory, 'assets'), { recursive: true, mode: 0o700 })
  writeFileSync(join(directory, 'assets/a.js'), '', { mode: 0o600 })
  makeReadable(directory)
  const modes = ['', 'assets', 'assets/a.js'].map((name) => statSync(join(directory, name)).mode)
  expect(modes.map((mode) => mode & 0o777)).toEqual([0o755, 0o755, 0o644])
})

test('encodings are matched as whole words', () => {
  expect(accepts('x-gzip, brotli', 'gzip')).toBe(false)
  expect(accepts('GZIP;q=1.0', 'gzip')).toBe(true)
  expect(accepts(null, 'gzip')).toBe(false)
})

test.each([
  ['/projects', '</assets/projects.js>; rel=modulepreload'],
  ['/projects/p/edit', '</assets/projects.js>; rel=modulepreload'],
  ['/projects/p/disks/d', '</assets/disks.js>; rel=modulepreload'],
  ['/projects-new', null],
  ['/elsewhere', null],
])('the page at %s names the files that it begins with', (path, link) => {
  const response = site().page(new Request(`http://host${path}?q=disks`))
  expect(response.headers.get('link')).toBe(link)
})

test('the list of link headers is not served', () => {
  expect(site().file('/.links-by-path.json', get())).toBeUndefined()
})
