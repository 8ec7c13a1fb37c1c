/**
 * Method and path of an operation come with the modules that name it, so that what all pages begin
 * with does not grow with the API. Every value of the type `MethodName` is spelled as a literal
 * somewhere, and the module with that literal has run before the operation can be called.
 */
import { routes } from '@steading/api/routes'
import type { Plugin, Rolldown } from 'vite'

type Node = Rolldown.ESTree.Node
const known: Readonly<Record<string, string>> = routes

/** These take names of operations, and call none. */
const callsNothing = new Set(['invalidate', 'refresh', 'seed'])

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value

/** The operations that a module may call: those that it names. */
function namedIn(node: Node, names: Set<string>): Set<string> {
  if (node.type === 'Literal') {
    if (typeof node.value === 'string' && Object.hasOwn(known, node.value)) names.add(node.value)
  } else if (
    node.type === 'MemberExpression' &&
    node.object.type === 'Identifier' &&
    node.object.name === 'client' &&
    node.property.type === 'Identifier' &&
    Object.hasOwn(known, node.property.name)
  ) {
    names.add(node.property.name)
  } else if (node.type === 'CallExpression' && node.callee.type === 'Identifier') {
    if (callsNothing.has(node.callee.name)) return names
  } else if (node.type === 'Property' && node.key.type === 'Identifier') {
    // Why an action is not permitted; who opens what it leads to loads that as well.
    if (node.key.name === 'calls') return names
  }
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child)) namedIn(child, names)
    }
  }
  return names
}

export function operations(): Plugin {
  return {
    name: 'operations',
    apply: 'build',
    enforce: 'post',
    transform: {
      filter: { id: [/\/console\/src\/.*\.tsx?$/, /\/api\/src\/generated\/routes\.ts$/] },
      handler(code, id) {
        if (id.endsWith('/generated/routes.ts')) return 'export const routes = {}'
        const names = [...namedIn(this.parse(code), new Set())]
        if (names.length === 0) return undefined
        const rows = Object.fromEntries(names.map((name) => [name, known[name]]))
        return `${code}\nimport { routes as routesOfAll } from '@steading/api/routes'\nObject.assign(routesOfAll, ${JSON.stringify(rows)})\n`
      },
    },
  }
}
