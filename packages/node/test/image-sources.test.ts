/** Files at addresses that users give: servers that are slow, that lie, and that are not meant. */
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import {
  certificateFaults,
  connectionFaults,
  IMAGE_CONNECT_MS,
  IMAGE_STALL_MS,
  imageDownloadProblems as problems,
} from '@steading/api/rules'
import { ImageSourceError } from '@steading/control-plane/ports'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { makeCertificate } from '../../api/test/support/certificates.ts'
import {
  type ImageServer,
  loopback,
  startImageServer,
} from '../../control-plane/test/support/image-server.ts'
import { createImageSources } from '../src/image-sources.ts'
import { USER_AGENT } from '../src/outgoing/request.ts'

let images: ImageServer
beforeAll(async () => void (images = await startImageServer()))
afterAll(() => images.close())

const host = () => new URL(images.url).host

/** Nobody cuts a connection by it. */
const wanted = new AbortController().signal

/** Waits for an answer, but not for long in the middle of one. */
const impatient = () => createImageSources(loopback, { connectMs: IMAGE_CONNECT_MS, stallMs: 50 })

/** Reads a file. @returns its bytes, or the reason why not */
async function read(
  url: string,
  sources = createImageSources(loopback),
): Promise<number | [string, boolean]> {
  try {
    const file = await sources.open(url, false, wanted)
    let length = 0
    for await (const chunk of file.bytes) length += chunk.length
    return length
  } catch (error) {
    if (!(error instanceof ImageSourceError)) throw error
    return [error.message, error.passing]
  }
}

test('a server that never answers, or stops in the middle', async () => {
  images.answers['/silent'] = () => {}
  const sources = createImageSources(loopback, { connectMs: 50, stallMs: IMAGE_STALL_MS })
  expect(await read(`${images.url}/silent`, sources)).toEqual([problems.noAnswer(host()), true])
  images.files['/stops'] = { bytes: new Uint8Array(4096), hangsAfter: 100 }
  expect(await read(`${images.url}/stops`, impatient())).toEqual([problems.stalled, true])
})

test('a server that sends a byte now and then', async () => {
  images.answers['/drips'] = (response) => {
    response.writeHead(200, { 'content-length': 4096 })
    const timer = setInterval(() => response.write('x'), 10)
    response.on('close', () => clearInterval(timer))
  }
  expect(await read(`${images.url}/drips`, impatient())).toEqual([problems.stalled, true])
})

test('a reader who takes a long time is no server that stops', async () => {
  images.files['/patient'] = { bytes: new Uint8Array(512 * 1024) }
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const file = await impatient().open(`${images.url}/patient`, false, wanted)
  let length = 0
  for await (const chunk of file.bytes) {
    if (length === 0) vi.advanceTimersByTime(60_000)
    length += chunk.length
  }
  expect(length).toBe(512 * 1024)
})

test('a size that is wrong', async () => {
  images.answers['/short'] = (response) => {
    response.writeHead(200, { 'content-length': 4096 })
    response.write('short', () => response.destroy())
  }
  expect(await read(`${images.url}/short`)).toEqual([problems.cutOff, true])
  images.answers['/long'] = (response) => {
    response.writeHead(200, { 'content-length': 3 }).end('far too long')
  }
  expect(await read(`${images.url}/long`)).toBe(3)
})

test('a part of the file that nobody asked for', async () => {
  images.answers['/part'] = (response) => {
    response.writeHead(206, { 'content-range': 'bytes 5-9/10', 'content-length': 5 }).end('later')
  }
  expect(await read(`${images.url}/part`)).toEqual([
    problems.status(host(), 206, 'Partial Content'),
    false,
  ])
})

test('a list of checksums without an end', async () => {
  images.answers['/endless'] = (response) => {
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(16_384)));
    }
    response.on('drain', more).on('error', () => {})
    more()
  }
  await expect(createImageSources(loopback).text(`${images.url}/endless`, wanted)).rejects.toThrow(
    problems.listTooLarge,
  )
})

test('hosts that cannot be reached, or are others than they say', async () => {
  images.answers['/gone'] = (response) => void response.destroy()
  expect(await read(`${images.url}/gone`)).toEqual([
    problems.unreachable(host(), connectionFaults.cut),
    true,
  ])
  const { key, cert } = await makeCertificate({ names: ['images.example'] })
  const secure = createServer({ key, cert }, (_, response) => response.end('x'))
  await new Promise<void>((done) => secure.listen(0, '127.0.0.1', done))
  onTestFinished(() => void secure.close())
  const { port } = secure.address() as AddressInfo
  expect(await read(`https://127.0.0.1:${port}/`)).toEqual([
    problems.certificate(`127.0.0.1:${port}`, certificateFaults.selfSigned),
    false,
  ])
})

test('after redirects, errors are about the host they led to', async () => {
  const { key, cert } = await makeCertificate({ names: ['images.example'] })
  const secure = createServer({ key, cert }, (_, response) => response.end('x'))
  await new Promise<void>((done) => secure.listen(0, '127.0.0.1', done))
  onTestFinished(() => void secure.close())
  const { port } = secure.address() as AddressInfo
  images.answers['/leads'] = (response, request) => {
    const to = new URL(request.url!, 'http://x').searchParams.get('to')!
    response.writeHead(302, { location: to }).end()
  }
  const leadTo = (location: string) =>
    read(`${images.url}/leads?to=${encodeURIComponent(location)}`)
  expect(await leadTo(`https://127.0.0.1:${port}/`)).toEqual([
    `The certificate of 127.0.0.1:${port}, to which ${host()} leads, is self-signed`,
    false,
  ])
  expect(await leadTo('http://127.0.0.1:1/')).toEqual([
    problems.unreachable(`127.0.0.1:1, to which ${host()} leads,`, connectionFaults.refused),
    true,
  ])
  // Mirrors may lack a file that others have.
  const mirror = await startImageServer()
  onTestFinished(mirror.close)
  const missing = problems.status(new URL(mirror.url).host, 404, 'Not Found')
  expect(await read(`${mirror.url}/missing`)).toEqual([missing, false])
  expect(await leadTo(`${mirror.url}/missing`)).toEqual([
    problems.status(`${new URL(mirror.url).host}, to which ${host()} leads,`, 404, 'Not Found'),
    true,
  ])
})

test('a refusal says what was asked, without the query', async () => {
  images.answers['/closed'] = (response) => void response.writeHead(403).end()
  expect(await read(`${images.url}/closed?key=secret`)).toEqual([
    problems.forbidden(
      problems.status(host(), 403, 'Forbidden'),
      `${images.url}/closed`,
      USER_AGENT,
    ),
    false,
  ])
})

test('the end of the host cuts connections', async () => {
  images.files['/cut'] = { bytes: new Uint8Array(4096), hangsAfter: 100 }
  const sources = createImageSources(loopback)
  const reading = read(`${images.url}/cut`, sources)
  await expect.poll(() => images.asked['/cut']?.length).toBe(1)
  sources.close()
  expect(await reading).toEqual([problems.cutOff, true])
})
