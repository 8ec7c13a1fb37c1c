import type { Probes } from './probe.ts'
import { fresh, onceForEachServer, parents, server } from './world.ts'

type Kind = 'service_account' | 'silo_service_account'

const body = () => ({ name: fresh(), description: '' })
const made = async (query: { project?: string }) => ({
  service_account: (await server.admin.call('service_account_create', { query, body: body() })).id,
})
/** For calls that leave it in place; a place has room for few. */
const kept = {
  service_account: onceForEachServer(() => made(parents)),
  silo_service_account: onceForEachServer(() => made({})),
}
const tokenBody = () => ({ name: fresh(), access: 'full' as const })

/** A call about a service account of the project, and one about one of the silo. */
const bothPlaces = <More extends object>(
  more: (params: { service_account: string }) => More,
  deletes = false,
) => {
  const of = (query: { project?: string }, kind: Kind) => ({
    args: async () => {
      const params = await (deletes ? made(query) : kept[kind]())
      return { params, ...(await more(params)) }
    },
    about: [kind],
  })
  return {
    'of a project': of(parents, 'service_account'),
    'of the silo': of({}, 'silo_service_account'),
  }
}

export const serviceAccountsProbes = {
  service_account_search: {
    'of a project': { args: () => ({ query: parents }), about: ['project', 'service_account'] },
    'of the silo': { args: () => ({}), about: ['silo_service_account'] },
  },
  service_account_create: {
    'in a project': {
      args: () => ({ query: parents, body: body() }),
      about: ['project', 'service_account'],
    },
    'in the silo': { args: () => ({ body: body() }), about: ['silo_service_account'] },
  },
  service_account_view: bothPlaces(() => ({})),
  service_account_update: bothPlaces(() => ({ body: { description: 'new' } })),
  service_account_delete: bothPlaces(() => ({}), true),
  service_account_token_list: bothPlaces(() => ({})),
  service_account_token_create: bothPlaces(() => ({ body: tokenBody() })),
  service_account_token_delete: bothPlaces(async (params) => {
    const { id } = await server.admin.call('service_account_token_create', {
      params,
      body: tokenBody(),
    })
    return { params: { ...params, token_id: id } }
  }),
} satisfies Partial<Probes>
