import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import { expect, it } from 'vitest'
import { operations } from '../../../contract/core/operations.ts'
import { schemaOf } from '../core/route.ts'
import { createValidatorCompiler, ShapeError } from './validation.ts'

// They are compiled at the first call: without these tests a fault of a shape would be found by its first caller.
it.each(operations)('the shapes of $name can be compiled', ({ method, path: url, ...operation }) => {
  const { response, ...parts } = schemaOf({ method, path: url, ...operation })
  const compileValidator = createValidatorCompiler()
  for (const [httpPart, schema] of Object.entries(parts)) {
    const result = compileValidator({ schema, httpPart, method, url })('\0') as { error?: unknown }
    expect(result.error).toBeInstanceOf(ShapeError)
  }
  const compileWriter = SerializerSelector()({}, {})
  for (const [httpStatus, schema] of Object.entries(response))
    expect(compileWriter({ schema, httpStatus, method, url })).toBeTypeOf('function')
})
