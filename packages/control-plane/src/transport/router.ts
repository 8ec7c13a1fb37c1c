import type { ParamIndexMap, Result, Router } from 'hono/router'
import { RegExpRouter } from 'hono/router/reg-exp-router'

/**
 * Routes by one regular expression per method. Paths without parameters are matched first, with all
 * of their methods, so that they may coexist with a path that has a parameter in the same position;
 * the expressions cannot express that, and the router that can is several times slower.
 */
export class OperationRouter<T> implements Router<T> {
  readonly name = 'OperationRouter'
  readonly #plain = new Map<string, Result<T>>()
  readonly #plainPaths = new Set<string>()
  readonly #patterns = new RegExpRouter<T>()

  add(method: string, path: string, handler: T): void {
    if (path.includes(':')) {
      this.#patterns.add(method, path, handler)
      return
    }
    const noParams: ParamIndexMap = {}
    this.#plainPaths.add(path)
    this.#plain.set(`${method} ${path}`, [[[handler, noParams]], []])
  }

  match(method: string, path: string): Result<T> {
    const plain = this.#plain.get(`${method} ${path}`)
    if (plain) return plain
    return this.#plainPaths.has(path) ? [[], []] : this.#patterns.match(method, path)
  }
}
