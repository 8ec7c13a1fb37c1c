import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { median } from './median.ts'
import { sized } from './smoke.ts'

const run = promisify(execFile)

const CHUNK = 512 * 1024
const CHUNKS = sized(256, 6)
const ROUNDS = sized(3, 1)
const PARALLEL = 6
const MB = 1_000_000

export interface UploadFigures {
  /** MB of disk per second, our upload loop; median, like all of these. */
  ours: number
  /** The same bodies sent by curl, with the same concurrency. */
  curl: number
  /** Ratio of our rate to curl's in the same round. */
  ratio: number
  /** Download rate of the same bytes. */
  download: number
  /** Megabytes written. */
  size: number
}

interface Target {
  url: string
  cookie: string
}

const json = { 'content-type': 'application/json' }

async function post({ url, cookie }: Target, path: string, body?: object): Promise<void> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { cookie, ...json },
    body: body && JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path} answered ${await response.text()}`)
  await response.arrayBuffer()
}

async function importingDisk(target: Target, project: string, name: string): Promise<string> {
  await post(target, `/v1/disks?project=${project}`, {
    name,
    description: '',
    size: 2 ** 30,
    disk_backend: {
      type: 'distributed',
      disk_source: { type: 'importing_blocks', block_size: 512 },
    },
  })
  await post(target, `/v1/disks/${name}/bulk-write-start?project=${project}`)
  return `/v1/disks/${name}/bulk-write?project=${project}`
}

async function finish(target: Target, project: string, name: string): Promise<void> {
  await post(target, `/v1/disks/${name}/bulk-write-stop?project=${project}`)
  await post(target, `/v1/disks/${name}/finalize?project=${project}`, {})
}

function send({ url, cookie }: Target, agent: Agent, path: string, body: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { cookie, ...json, 'content-length': body.length }
    const sent = request(url + path, { method: 'POST', agent, headers }, (response) => {
      response.resume()
      response.on('end', () =>
        response.statusCode === 204
          ? resolve()
          : reject(new Error(`a chunk was answered with ${response.statusCode}`)),
      )
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** Milliseconds of some work. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

async function ourLoop(target: Target, path: string, bodies: Buffer[]): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: PARALLEL })
  const waiting = [...bodies]
  const worker = async (): Promise<void> => {
    for (let body = waiting.shift(); body; body = waiting.shift()) {
      await send(target, agent, path, body)
    }
  }
  await Promise.all(Array.from({ length: PARALLEL }, worker))
  agent.destroy()
}

/** One curl that sends files over reused connections, with the same concurrency. */
async function curlLoop(target: Target, path: string, files: string[], home: string) {
  const entries = files.map((file) =>
    [
      `url = "${target.url}${path}"`,
      `data-binary = "@${file}"`,
      `header = "content-type: application/json"`,
      // Otherwise curl waits for permission to send a large body.
      'header = "expect:"',
      `header = "cookie: ${target.cookie}"`,
      `output = "/dev/null"`,
      'fail',
    ].join('\n'),
  )
  const config = join(home, 'curl.conf')
  writeFileSync(config, entries.join('\nnext\n'))
  await run('curl', ['-sS', '--parallel', '--parallel-max', String(PARALLEL), '-K', config])
}

/** Uploads random chunks in two ways, and downloads them again. */
export async function uploadFigures(
  url: string,
  cookie: string,
  project: string,
): Promise<UploadFigures> {
  const target = { url, cookie }
  const home = mkdtempSync(join(tmpdir(), 'steading-upload-'))
  try {
    const bodies = Array.from({ length: CHUNKS }, (_, index) =>
      Buffer.from(
        JSON.stringify({
          offset: index * CHUNK,
          base64_encoded_data: randomBytes(CHUNK).toString('base64'),
        }),
      ),
    )
    const files = bodies.map((body, index) => {
      const file = join(home, `${index}.json`)
      writeFileSync(file, body)
      return file
    })
    const size = (CHUNKS * CHUNK) / MB
    const rate = async (work: () => Promise<unknown>) => size / ((await timed(work)) / 1000)
    const upload = async (name: string, loop: (path: string) => Promise<unknown>) => {
      const path = await importingDisk(target, project, name)
      const speed = await rate(() => loop(path))
      await finish(target, project, name)
      return speed
    }
    const rates: Omit<UploadFigures, 'size'>[] = []
    for (let round = 0; round <= ROUNDS; round++) {
      const name = `upload-${round}`
      const ours = await upload(name, (path) => ourLoop(target, path, bodies))
      const curl = await upload(`${name}-curl`, (path) => curlLoop(target, path, files, home))
      const download = await rate(async () => {
        const response = await fetch(`${url}/x/v1/disks/${name}/contents?project=${project}`, {
          headers: { cookie, range: `bytes=0-${CHUNKS * CHUNK - 1}` },
        })
        for await (const piece of response.body!) void piece
      })
      // The first round is a warm-up.
      if (round > 0) rates.push({ ours, curl, download, ratio: ours / curl })
    }
    const middle = (key: keyof (typeof rates)[number]) => median(rates.map((one) => one[key]))
    return {
      ours: middle('ours'),
      curl: middle('curl'),
      ratio: middle('ratio'),
      download: middle('download'),
      size,
    }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}
