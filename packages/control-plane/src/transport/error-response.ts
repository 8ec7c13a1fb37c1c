/** Errors as responses. Paths of another protocol get its error format. */
import { isScimType, SCIM_PATH, SCIM_TYPE, scimSchemas } from '@steading/api/rules'
import { addCookies } from '../kernel/cookies.ts'
import type { ApiError } from '../kernel/errors.ts'

interface Shape {
  body: (template: ApiError['template'], requestId: string) => object
  headers: (template: ApiError['template']) => Record<string, string>
}

const contract: Shape = {
  body: ({ error_code, message }, request_id) => ({
    request_id,
    ...(error_code ? { error_code } : {}),
    message,
  }),
  headers: () => ({ 'content-type': 'application/json' }),
}

/** RFC 7644, section 3.12. A request that could not be parsed at all counts as invalid syntax. */
const scim: Shape = {
  body({ status, error_code, message }) {
    const scimType = error_code ?? (status === 400 ? 'invalidSyntax' : undefined)
    return {
      schemas: [scimSchemas.error],
      status: String(status),
      ...(isScimType(scimType) ? { scimType } : {}),
      detail: message,
    }
  },
  headers: ({ status }) => ({
    'content-type': SCIM_TYPE,
    ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
  }),
}

/** @param path the path of the request, which need not have a route */
export function errorResponse(
  path: string,
  { template, headers, cookies }: ApiError,
  requestId: string,
): Response {
  const shape = path === SCIM_PATH || path.startsWith(`${SCIM_PATH}/`) ? scim : contract
  const response = new Response(JSON.stringify(shape.body(template, requestId)), {
    status: template.status,
    headers: {
      ...shape.headers(template),
      'cache-control': 'no-store',
      ...headers,
      'x-request-id': requestId,
    },
  })
  addCookies(response.headers, cookies)
  return response
}
