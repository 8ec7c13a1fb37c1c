import { DOCS_PATH } from '@steading/api/rules'
import { installation } from './installation.ts'
import { loadSite, type StaticSite } from './static.ts'

/** Answers a request for the documentation. */
export type Docs = (path: string, request: Request) => Response

/** The documentation, loaded on the first request, so that it does not delay the start. */
export function createDocs(directory = installation.docs): Docs {
  let site: StaticSite | undefined
  return (path, request) => {
    if (path === DOCS_PATH) {
      return new Response(null, { status: 308, headers: { location: `${DOCS_PATH}/` } })
    }
    site ??= loadSite(directory)
    return site.file(path.slice(DOCS_PATH.length), request) ?? site.asset(path, request)
  }
}
