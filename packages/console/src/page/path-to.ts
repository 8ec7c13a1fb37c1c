import type { ConsolePath } from '@steading/api/rules'

/** A page's path as text, for menus and the palette. `pathTo('/projects/$project/edit', { project })` */
export function pathTo(path: ConsolePath, params: Record<string, string> = {}): string {
  return path.replaceAll(/\$(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
}
