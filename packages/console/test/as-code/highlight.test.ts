import { expect, test } from 'vitest'
import { highlight, type Language } from '../../src/workspace/as-code/highlight.ts'

const examples: Record<Language, string> = {
  cli: `# Sign in first\noxide api '/v1/x' --input - <<'END'\n{\n  "name": "web: a",\n  "size": 1\n}\nEND`,
  curl: `# Sign in first\ncurl --data-raw '{\n  "name": "web: a \\"b\\"",\n  "size": 1\n}'`,
  typescript: `// Sign in first\nawait api.diskCreate({\n  name: 'web: a',\n  size: 1,\n})`,
  python: `# Sign in first\nmake("web: a", name: str, size: int)`,
  terraform: `# Sign in first\nresource "disk" "web" {\n  name = "web = a"\n  size = 1\n}`,
}

test.each(Object.entries(examples))('distinguishes keys and strings of %s', (language, code) => {
  const parts = highlight(code, language as Language)
  expect(parts.map(({ part }) => part).join('')).toBe(code)
  const those = (kind: string) =>
    parts.filter((part) => part.kind === kind).map(({ part }) => part.replaceAll('"', ''))
  expect(those('key')).toEqual(['name', 'size'])
  expect(those('comment')).toHaveLength(1)
  expect(those('string').join()).toMatch(/web[:=, ]/)
})
