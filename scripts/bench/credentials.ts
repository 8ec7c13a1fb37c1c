import { DEVICE_GRANT_TYPE } from '../../packages/api/src/rules.ts'
import { figuresText } from './figures.ts'
import { password } from './host.ts'
import { medianLoads, watchOthers } from './requests.ts'

const json = (body: object, headers = {}): RequestInit => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json', ...headers },
})

/** @returns a token of the signed-in user, by device authorization */
async function accessToken(url: string, cookie: string): Promise<string> {
  const form = async (path: string, fields: Record<string, string>) => {
    const answer = await fetch(url + path, { method: 'POST', body: new URLSearchParams(fields) })
    return (await answer.json()) as Record<string, string>
  }
  const client_id = crypto.randomUUID()
  const { device_code, user_code } = await form('/device/auth', { client_id })
  await fetch(`${url}/device/confirm`, json({ user_code }, { cookie }))
  const fields = { grant_type: DEVICE_GRANT_TYPE, device_code: device_code!, client_id }
  return (await form('/device/token', fields)).access_token!
}

/** A request by token, compared with one by cookie. */
export async function credentialFigures(url: string, cookie: string): Promise<void> {
  const authorization = `Bearer ${await accessToken(url, cookie)}`
  const path = '/v1/me'
  const [byCookie, byToken] = await medianLoads(url + path, [{ cookie }, { authorization }])
  console.log(`\n${path}                         per second      p50      p99`)
  for (const [name, load] of Object.entries({ cookie: byCookie!, token: byToken! })) {
    console.log(
      `by ${name.padEnd(30)}${load.perSecond.toFixed(0).padStart(8)} ${load.p50.toFixed(1).padStart(5)} ms ${load.p99.toFixed(1).padStart(5)} ms`,
    )
  }
  const ratio = byToken!.perSecond / byCookie!.perSecond
  console.log(`by token ${ratio.toFixed(2)} times as many as by cookie`)
}

const SECONDS = 5
const CLIENTS = 8

/** Sign-ins with the right password, and the latency of other calls meanwhile. */
export async function signInFigures(url: string, cookie: string): Promise<void> {
  const quiet = watchOthers(url, { headers: { cookie }, path: '/v1/me' })
  await new Promise((resolve) => setTimeout(resolve, SECONDS * 1000))
  const alone = await quiet()
  const others = watchOthers(url, { headers: { cookie }, path: '/v1/me' })
  const began = performance.now()
  let signedIn = 0
  const client = async () => {
    while (performance.now() - began < SECONDS * 1000) {
      const answer = await fetch(
        `${url}/v1/login/main/local`,
        json({ username: 'admin', password }),
      )
      if (!answer.ok) throw new Error(`a sign-in answered ${answer.status}`)
      signedIn++
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  const perSecond = (signedIn / (performance.now() - began)) * 1000
  const beside = await others()
  console.log(
    `\n${CLIENTS} clients sign in ${perSecond.toFixed(1)} times a second; other calls    p50      p99`,
  )
  console.log(figuresText('without sign-ins', alone))
  console.log(figuresText('beside them', beside))
  console.log(
    `${(beside.p50 / alone.p50).toFixed(1)} times as long, p99 ${(beside.p99 / alone.p99).toFixed(1)} times`,
  )
}
