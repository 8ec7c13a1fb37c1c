import { bodyText, operationTable, parseBody, parseParams, parseQuery } from '@steading/api'
import { GiB } from '@steading/api/rules'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { locate } from '../src/locate-json.ts'

const refusal = (work: () => unknown): string => {
  try {
    return `taken: ${JSON.stringify(work())}`
  } catch (error) {
    return (error as Error).message
  }
}
const body = (id: keyof typeof operationTable, text: string) =>
  refusal(() => parseBody(operationTable[id].body!, text))

const instance = {
  name: 'i',
  description: '',
  hostname: 'i',
  ncpus: 2,
  memory: GiB,
}
const instanceWith = (changes: object): string => JSON.stringify({ ...instance, ...changes })

describe('bodies that are not JSON', () => {
  test.each([
    ['', 'EOF while parsing a value at line 1 column 0'],
    ['  \n ', 'EOF while parsing a value at line 2 column 1'],
    ['{', 'EOF while parsing an object at line 1 column 1'],
    ['{"name":"a"', 'EOF while parsing an object at line 1 column 11'],
    ['{"name":', 'EOF while parsing a value at line 1 column 8'],
    ['{"name"', 'EOF while parsing an object at line 1 column 7'],
    ['{"name":"a', 'EOF while parsing a string at line 1 column 10'],
    ['{"a":[1,', 'EOF while parsing a value at line 1 column 8'],
    ['{"a":[1', 'EOF while parsing a list at line 1 column 7'],
    ['{"a":tru', 'EOF while parsing a value at line 1 column 8'],
    ['x', 'expected value at line 1 column 1'],
    ['{"a":x}', 'expected value at line 1 column 6'],
    ['{\n  "a": 1,\n  "b": }', 'expected value at line 3 column 8'],
    ['{a:1}', 'key must be a string at line 1 column 2'],
    ['{"a":1,}', 'trailing comma at line 1 column 8'],
    ['[1,]', 'trailing comma at line 1 column 4'],
    ['{"a" 1}', 'expected `:` at line 1 column 6'],
    ['{"a":1 "b":2}', 'expected `,` or `}` at line 1 column 8'],
    ['[1 2]', 'expected `,` or `]` at line 1 column 4'],
    ['{"a":truw}', 'expected ident at line 1 column 9'],
    ['{"a":01}', 'invalid number at line 1 column 7'],
    ['{"a":1.}', 'invalid number at line 1 column 8'],
    ['{} {}', 'trailing characters at line 1 column 4'],
    [String.raw`{"a":"\x"}`, 'invalid escape at line 1 column 8'],
    [
      '{"a":"\n"}',
      String.raw`control character (\u0000-\u001F) found while parsing a string at line 2 column 0`,
    ],
  ])('%j: %s', (text, reason) => {
    expect(body('project_create', text)).toBe(`unable to parse JSON body: ${reason}`)
  })

  test('every invalid input gets an answer with the reason and the position', () => {
    const nearlyJson = fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom('', '"', '{', ']', ',', '\\', 'x', '\u0000'))
      .map(([text, at, insert]) => {
        const cut = at % (text.length + 1)
        return text.slice(0, cut) + insert + text.slice(cut + 1)
      })
    fc.assert(
      fc.property(nearlyJson, (text) => {
        const message = body('project_create', text)
        expect(message).toMatch(/^unable to parse JSON body: ./)
        const place = / at line (\d+) column (\d+)$/.exec(message)
        const lines = text.split('\n')
        expect(Number(place![1])).toBeLessThanOrEqual(lines.length)
        expect(Number(place![2])).toBeLessThanOrEqual(lines[Number(place![1]) - 1]!.length)
      }),
      { numRuns: 500 },
    )
  })
})

describe('bodies that do not match the schema', () => {
  test.each([
    ['[]', 'invalid type: sequence, expected a map at line 1 column 2'],
    ['null', 'invalid type: null, expected a map at line 1 column 4'],
    ['{"name":"a"}', 'missing field `description` at line 1 column 12'],
    ['{"description":""}', 'missing field `name` at line 1 column 18'],
    [
      '{"name":5,"description":""}',
      'name: invalid type: integer `5`, expected a string at line 1 column 9',
    ],
    [
      '{"name":null,"description":""}',
      'name: invalid type: null, expected a string at line 1 column 12',
    ],
    [
      '{"name":"A","description":""}',
      'name: name must begin with an ASCII lowercase character at line 1 column 11',
    ],
    [
      '{\n  "name": "a-",\n  "description": ""\n}',
      'name: name cannot end with "-" at line 2 column 14',
    ],
  ])('project %j: %s', (text, reason) => {
    expect(body('project_create', text)).toBe(`unable to parse JSON body: ${reason}`)
  })

  test.each<[object, string]>([
    [{ ncpus: -3 }, 'ncpus: invalid value: integer `-3`, expected u16'],
    [{ ncpus: 65536 }, 'ncpus: invalid value: integer `65536`, expected u16'],
    [{ ncpus: 1.5 }, 'ncpus: invalid type: floating point `1.5`, expected u16'],
    [{ ncpus: '2' }, 'ncpus: invalid type: string "2", expected u16'],
    [{ start: 'yes' }, 'start: invalid type: string "yes", expected a boolean'],
    [{ hostname: 'a'.repeat(254) }, 'hostname: Max hostname length is 253'],
    [{ hostname: 'a_b' }, 'hostname: Hostnames must comply with RFC 1035'],
    [
      { auto_restart_policy: 'always' },
      'auto_restart_policy: unknown variant `always`, expected `never` or `best_effort`',
    ],
    [
      { disks: [{ type: 'attach', name: 'ok' }, { type: 'attach' }] },
      'disks[1]: missing field `name`',
    ],
    [
      { disks: [{ type: 'detach' }] },
      'disks[0]: unknown variant `detach`, expected `create` or `attach`',
    ],
    [{ disks: [{ name: 'x' }] }, 'disks[0]: missing field `type`'],
    [{ disks: {} }, 'disks: invalid type: map, expected a sequence'],
    [
      {
        boot_disk: {
          type: 'create',
          name: 'd',
          description: '',
          size: GiB,
          disk_backend: { type: 'distributed', disk_source: { type: 'blank', block_size: 1000 } },
        },
      },
      'boot_disk.disk_backend.disk_source.block_size: invalid block size 1000',
    ],
  ])('instance with %j: %s', (changes, reason) => {
    const text = instanceWith(changes)
    // Each of these errors is about the changed field, or about a value inside it.
    const message = body('instance_create', text)
    expect(message).toMatch(/ at line 1 column \d+$/)
    expect(message.replace(/ at line 1 column \d+$/, '')).toBe(
      `unable to parse JSON body: ${reason}`,
    )
    const column = Number(/column (\d+)$/.exec(message)![1])
    const field = Object.keys(changes)[0]!
    const end = locate(text, [field])
    expect(column).toBeGreaterThan(text.indexOf(`"${field}"`))
    expect(column).toBeLessThanOrEqual(end)
  })

  test('sizes are integers in the range of byte counts', () => {
    const memory = (value: string) =>
      body('instance_create', instanceWith({}).replace(`"memory":${GiB}`, `"memory":${value}`))
    expect(memory('-1')).toContain('memory: value is too small for a byte count')
    expect(memory('9223372036854775808')).toContain('memory: value is too large for a byte count')
    expect(memory('1.5')).toContain('memory: invalid type: floating point `1.5`, expected u64')
    expect(memory(String(2 ** 40))).toMatch(/^taken/)
  })

  test('user data is base64 of at most 32 KiB', () => {
    const data = (bytes: number) =>
      body('instance_create', instanceWith({ user_data: Buffer.alloc(bytes).toString('base64') }))
    expect(data(0)).toMatch(/^taken/)
    expect(data(32_768)).toMatch(/^taken/)
    expect(data(32_769)).toContain('user_data: invalid length 32769, expected less than 32 KiB')
    expect(body('instance_create', instanceWith({ user_data: 'a-_b' }))).toContain(
      'expected a valid base64 string',
    )
  })

  test('a policy holds at most 64 assignments', () => {
    const policy = (length: number) =>
      body(
        'policy_update',
        JSON.stringify({
          role_assignments: Array.from({ length }, () => ({
            identity_id: crypto.randomUUID(),
            identity_type: 'silo_user',
            role_name: 'viewer',
          })),
        }),
      )
    expect(policy(64)).toMatch(/^taken/)
    expect(policy(65)).toContain(
      'role_assignments: invalid length 65, expected a list of at most 64 role assignments',
    )
  })

  test('passwords have at most 512 bytes, whatever the number of characters', () => {
    const login = (password: string) =>
      body('login_local', JSON.stringify({ username: 'a', password }))
    expect(login('x'.repeat(512))).toMatch(/^taken/)
    expect(login('é'.repeat(256))).toMatch(/^taken/)
    expect(login('é'.repeat(257))).toContain('password: the password provided was too long')
    expect(login('')).toMatch(/^taken/)
  })

  test('texts that could not be stored unchanged are refused', () => {
    const create = (description: string) =>
      body('project_create', `{"name":"a","description":"${description}"}`)
    expect(create('\\ud83d\\ude00 \\ufffd')).toMatch(/^taken/)
    expect(create('a\\ud83d')).toContain('description: lone surrogate in a string')
    expect(create('\\ude00\\ud83d')).toContain('description: lone surrogate in a string')
    expect(create('a\\u0000b')).toContain('description: null character in a string')
  })

  test.each([
    ['{"toString":1,"valueOf":1}', 'invalid type: map, expected u32'],
    ['"512"', 'invalid type: string "512", expected u32'],
    ['513', 'invalid block size 513'],
  ])('a block size of %s is refused: %s', (size, reason) => {
    const disk_backend = `{"type":"distributed","disk_source":{"type":"blank","block_size":${size}}}`
    expect(
      body('disk_create', `{"name":"d","description":"","size":1,"disk_backend":${disk_backend}}`),
    ).toContain(`disk_backend.disk_source.block_size: ${reason} at line 1 column`)
  })

  test('unknown fields are ignored', () => {
    expect(body('project_create', '{"name":"a","description":"","color":"red"}')).toBe(
      'taken: {"name":"a","description":""}',
    )
  })
})

describe('the text of a body', () => {
  const read = (...parts: (string | number[])[]) =>
    refusal(() => bodyText(Buffer.concat(parts.map((part) => Buffer.from(part as string)))))

  test('is UTF-8', () => {
    expect(read('{"a":"é \ufffd \u{1f600}"}')).toBe('taken: "{\\"a\\":\\"é \ufffd \u{1f600}\\"}"')
  })

  test.each([
    [[0xff], 8],
    [[0xc0, 0x80], 8],
    [[0xed, 0xa0, 0x80], 8],
    [[0xe2, 0x82], 8],
  ])('is refused where it is not: %j', (wrong, column) => {
    expect(read('{"a":"\ufffd', wrong, '"}')).toBe(
      `unable to parse JSON body: invalid unicode code point at line 1 column ${column}`,
    )
  })
})

describe('queries', () => {
  const list = operationTable.project_list.query!
  const query = (text: string) => refusal(() => parseQuery(list, new URLSearchParams(text)))

  test.each([
    ['limit=0', 'invalid value: integer `0`, expected a nonzero u32'],
    ['limit=x', 'invalid digit found in string'],
    ['limit=', 'invalid digit found in string'],
    ['limit=1.5', 'invalid digit found in string'],
    ['limit=-1', 'invalid digit found in string'],
    ['limit=0', 'invalid value: integer `0`, expected a nonzero u32'],
    [
      'sort_by=size',
      'unknown variant `size`, expected one of `name_ascending`, `name_descending`, `id_ascending`',
    ],
  ])('%s: %s', (text, reason) => {
    const [name] = text.split('=')
    expect(query(text)).toBe(`unable to parse query string: ${name}: ${reason}`)
  })

  test('are parsed to typed values; unknown ones are ignored', () => {
    expect(query('limit=20&sort_by=id_ascending&color=red')).toBe(
      'taken: {"limit":20,"sort_by":"id_ascending"}',
    )
  })

  test('select by name or ID', () => {
    const select = (project: string) =>
      refusal(() => parseQuery(operationTable.disk_list.query!, new URLSearchParams({ project })))
    expect(select('web')).toBe('taken: {"project":"web"}')
    expect(select('00000000-0000-0000-0000-000000000000')).toMatch(/^taken/)
    for (const bad of ['Web', '', '-', 'a b']) {
      expect(select(bad)).toBe(
        'unable to parse query string: project: data did not match any variant of untagged enum NameOrId',
      )
    }
  })
})

describe('path parameters', () => {
  test('are names or IDs', () => {
    const { params } = operationTable.project_view
    expect(refusal(() => parseParams(params!, { project: 'A' }))).toBe(
      'bad parameter in URL path: project: data did not match any variant of untagged enum NameOrId',
    )
  })

  test('are IDs only for kinds without names', () => {
    const { params } = operationTable.user_view
    expect(refusal(() => parseParams(params!, { user_id: 'admin' }))).toMatch(
      /^bad parameter in URL path: .*UUID/,
    )
  })
})
