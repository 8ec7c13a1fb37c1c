import { answer, isOwn, PROVIDER, type ProviderUser } from './provider.ts'

type Ask = (request: Request) => Promise<Response>
type Refusal = { status: number; message: string; requestId: string }

async function refusalOf(response: Response): Promise<Refusal> {
  const body = (await response.json()) as { message: string; request_id: string }
  return { status: response.status, message: body.message, requestId: body.request_id }
}

const unable = (message: string): Refusal => ({
  status: 501,
  message,
  requestId: crypto.randomUUID(),
})

/**
 * Simulates a browser that signs a user in through a provider: it follows the redirect with the
 * control plane's request, and delivers the response.
 * @param path that redirects the browser to the provider
 * @returns the browser's next page, or the reason for a refusal
 */
export async function signInThrough(
  ask: Ask,
  origin: string,
  path: string,
  user: ProviderUser,
): Promise<{ location: string } | Refusal> {
  if (!('sign' in crypto.subtle)) {
    return unable('Browsers sign and check answers only at https addresses and at localhost.')
  }
  const sent = await ask(new Request(new URL(path, origin)))
  if (sent.status !== 302) return refusalOf(sent)
  const there = sent.headers.get('location')!
  if (!isOwn(there, origin)) {
    return unable(
      `This demo cannot reach other sites. The provider ${PROVIDER.name} of silo ${PROVIDER.silo} is part of it.`,
    )
  }
  const { acsUrl, form } = await answer(there, user, new Date())
  const back = await ask(new Request(acsUrl, { method: 'POST', body: form }))
  return back.status === 303 ? { location: back.headers.get('location')! } : refusalOf(back)
}
