import { describe, expect, it, vi } from 'vitest'
import { createCookieJar } from '../src/host/cookie-jar.ts'
import { readVisitor, visitorCookie } from '../src/host/visitor.ts'

describe('cookie jar', () => {
  it('stores cookies of answers and returns them', () => {
    const changed = vi.fn<(name: string, value: string | undefined) => void>()
    const jar = createCookieJar(changed)
    expect(jar.header()).toBeUndefined()
    jar.store('session=abc; Path=/; HttpOnly; SameSite=Lax; Max-Age=86400')
    jar.store('other=a=b')
    expect(jar.header()).toBe('session=abc; other=a=b')
    expect(changed.mock.calls).toEqual([
      ['session', 'abc'],
      ['other', 'a=b'],
    ])
  })

  it('removes cookies that answers delete', () => {
    const changed = vi.fn<(name: string, value: string | undefined) => void>()
    const jar = createCookieJar(changed)
    jar.set('session', 'abc')
    jar.store('session=; Path=/; Max-Age=0')
    expect(jar.header()).toBeUndefined()
    expect(changed.mock.calls).toEqual([['session', undefined]])
  })

  it.each(['', '=x', 'Path=', 'nothing'])('ignores %j', (text) => {
    const jar = createCookieJar()
    jar.store(text)
    expect(jar.header()).toBeUndefined()
  })
})

describe('visitor', () => {
  it('is read back as written', () => {
    const [cookie = ''] = visitorCookie('Marta Lindqvist; Ö').split('; path')
    expect(readVisitor(`a=b; ${cookie}; c=d`)).toBe('Marta Lindqvist; Ö')
  })

  it('may be written manually', () => {
    expect(readVisitor('msw-user=Priya Raman')).toBe('Priya Raman')
    expect(readVisitor('msw-user=100%')).toBe('100%')
  })

  it('may be empty or missing', () => {
    expect(readVisitor('a=b; msw-user=')).toBe('')
    expect(readVisitor('a=b; not-msw-user=x')).toBeUndefined()
  })
})
