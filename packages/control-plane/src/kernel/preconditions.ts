import type { Schema } from '@steading/api'
import type { HttpCall } from './context.ts'
import { entityTagOf, namesTag } from './entity-tag.ts'
import { fail } from './errors.ts'
import { presented } from './presented.ts'
import type { ControlPlaneServices } from './services.ts'

/**
 * A client may say by the entity tag which answer to a read it has changed, so that it does not undo
 * what another client has done since.
 * @param schema of the answer to that read
 * @param read the answer as it is now
 * @param refusal to a client whose answer is out of date
 * @throws ApiError 412
 */
export async function requireUnchanged(
  { http, services }: { http: HttpCall; services: Pick<ControlPlaneServices, 'native'> },
  schema: Schema,
  read: () => Promise<unknown>,
  refusal: string,
): Promise<void> {
  const expected = http.request.headers.get('if-match')
  if (expected === null || expected.trim() === '*') return
  const present = JSON.stringify(presented(schema, await read(), http.apiVersion))
  if (!namesTag(expected, entityTagOf(services.native, present))) {
    throw fail.preconditionFailed(refusal)
  }
}
