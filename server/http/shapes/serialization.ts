import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { FastifySerializerCompiler } from 'fastify'
import { compileLater } from './compile-later.ts'

/** Writes answers in the shapes of the contract with Fastify's default serializer, which is compiled at the first answer. */
export function createSerializerCompiler(): FastifySerializerCompiler<unknown> {
  const compile = SerializerSelector()({}, {})
  return (route) => compileLater(() => compile(route as Parameters<typeof compile>[0]))
}
