/** A silo with an identity provider for its users and groups, and the provider's calls. */
import type { Answer, Caller, SendOptions } from './caller.ts'
import type { TestServer } from './harness.ts'

export type Resource = Record<string, unknown> & {
  id: string
  meta: { location: string; version: string; lastModified: string }
}
export interface ListResponse {
  totalResults: number
  startIndex: number
  itemsPerPage: number
  Resources: Resource[]
}
export interface ScimError {
  status: string
  scimType?: string
  detail: string
}

export const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group'
const patchSchema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

/** The body of a PATCH. */
export const patchOf = (...Operations: object[]) => ({ schemas: [patchSchema], Operations })

export interface Provider {
  siloId: string
  caller: Caller
  /** Any call, by the path after `/scim/v2`. */
  send: (method: string, path: string, body?: unknown, options?: SendOptions) => Promise<Answer>
  /** A call that is expected to succeed with a status. */
  ok: <T = Resource>(status: number, method: string, path: string, body?: unknown) => Promise<T>
  /** The error of a call that is expected to fail: status, error type and text. */
  refused: (method: string, path: string, body?: unknown, options?: SendOptions) => Promise<string>
  user: (userName: string, values?: object) => Promise<Resource>
  group: (displayName: string, members?: string[]) => Promise<Resource>
  list: (path: string) => Promise<ListResponse>
}

let silos = 0

/** A SCIM token of a silo. */
export const tokenFor = async ({ admin }: TestServer, silo: string): Promise<string> =>
  (await admin.call('scim_token_create', { query: { silo } })).bearer_token

/** The calls of a provider with a token. */
export function providerWith(server: TestServer, siloId: string, token: string): Provider {
  const caller = server.anonymous.withToken(token)
  const send: Provider['send'] = (method, path, body, options = {}) =>
    caller.send(method, `/scim/v2${path}`, { body, ...options })
  const ok: Provider['ok'] = async (status, method, path, body) => {
    const answer = await send(method, path, body)
    if (answer.status !== status) {
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    }
    return answer.body as never
  }
  return {
    siloId,
    caller,
    send,
    ok,
    async refused(method, path, body, options) {
      const answer = await send(method, path, body, options)
      if (answer.status < 400) throw new Error(`${method} ${path} was not refused`)
      const { status, scimType, detail } = answer.body as ScimError
      return [status, ...(scimType ? [scimType] : []), detail].join(' ')
    },
    user: (userName, values = {}) =>
      ok(201, 'POST', '/Users', { schemas: [userSchema], userName, active: true, ...values }),
    group: (displayName, members = []) =>
      ok(201, 'POST', '/Groups', {
        schemas: [groupSchema],
        displayName,
        members: members.map((value) => ({ value })),
      }),
    list: (path) => ok<ListResponse>(200, 'GET', path),
  }
}

/** A new silo with its provider. */
export async function createProvider(
  server: TestServer,
  values: Parameters<TestServer['createSilo']>[1] = {},
): Promise<Provider> {
  const name = `provided-${silos++}`
  const siloId = await server.createSilo(name, { identity_mode: 'saml_scim', ...values })
  return providerWith(server, siloId, await tokenFor(server, name))
}
