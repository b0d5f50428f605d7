// Runs in /docs, beside Swagger UI. When the user enters a token, the examples are filled with what that token may read: a real
// rid, real types, and filters and searches that find something. The token is kept for this tab only.
/* global window, document, sessionStorage, location */
;(() => {
  const keptAs = 'octavo-token'
  const original = window.SwaggerUIBundle

  window.SwaggerUIBundle = Object.assign((config) => {
    const ui = original({
      ...config,
      plugins: [...config.plugins, rememberToken],
      onComplete: () => restore(ui),
    })
    const plain = fetchJson('/openapi.json')
    let last

    async function use(token) {
      if (token === last) return
      last = token
      if (token === undefined) sessionStorage.removeItem(keptAs)
      else sessionStorage.setItem(keptAs, token)
      const spec = structuredClone(await plain)
      const known = token === undefined ? undefined : await lookAround(token).catch(() => undefined)
      // The user may have entered another token meanwhile.
      if (token !== last) return
      if (known !== undefined) fillIn(spec, known)
      ui.specActions.updateSpec(JSON.stringify(spec))
      document.documentElement.dataset.examples = known === undefined ? 'made up' : 'real'
    }

    function rememberToken() {
      const then = (value) => void use(value)
      return {
        statePlugins: {
          auth: {
            wrapActions: {
              authorize: (act) => (given) => {
                then(given.bearer?.value || undefined)
                return act(given)
              },
              logout: (act) => (names) => {
                then(undefined)
                return act(names)
              },
            },
          },
        },
      }
    }

    function restore() {
      const token = sessionStorage.getItem(keptAs)
      if (token === null || last !== undefined) return
      const schema = { type: 'http', scheme: 'bearer' }
      ui.authActions.authorize({ bearer: { name: 'bearer', schema, value: token } })
    }
    return ui
  }, original)

  async function fetchJson(path, token, body) {
    const answer = await fetch(new URL(path, location.origin), {
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
    })
    if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}`)
    return answer.json()
  }

  /** The first ontology that has an object, one type of it with its properties, and one object. */
  async function lookAround(token) {
    // Only this list has the API families; a token without the right to it gets the examples of revision 1.0.
    const managed = await fetchJson('/manage/v1/ontologies', token).catch(() => ({ data: [] }))
    const { data: ontologies } = await fetchJson('/api/v1/ontologies', token)
    for (const ontology of ontologies) {
      const family = managed.data.find(({ rid }) => rid === ontology.rid)?.apiFamilies?.[0]
      const types = await typesOf(token, ontology.rid, family)
      for (const type of types) {
        const path = `/api/v1/ontologies/${ontology.rid}/objects/${encodeURIComponent(type.apiName)}?pageSize=1`
        const { data } = await fetchJson(path, token)
        if (data.length > 0) return { ontology, family, type, object: data[0].properties }
      }
    }
    return ontologies.length === 0 ? undefined : { ontology: ontologies[0] }
  }

  /** Those with the most to try come first. Revision 2.0 also tells what can be searched. */
  async function typesOf(token, rid, family) {
    const path =
      family === undefined
        ? `/api/v1/ontologies/${rid}/objectTypes`
        : `/api/${encodeURIComponent(family)}/v1/objects/types`
    const { data } = await fetchJson(path, token)
    const tryable = ({ properties }) =>
      Object.values(properties).filter(({ searchable, sortable }) => searchable || sortable).length
    return data.toSorted((a, b) => tryable(b) - tryable(a))
  }

  function fillIn(spec, { ontology, family, type, object }) {
    const key = [type?.primaryKey].flat()[0]
    const values = {
      ontology: ontology.rid,
      apiName: ontology.apiName,
      ...(type && { objectType: type.apiName, primaryKey: String(object[key]) }),
      ...(family && { apiFamily: family }),
    }
    for (const [path, operations] of Object.entries(spec.paths)) {
      for (const operation of Object.values(operations)) {
        for (const parameter of operation.parameters) {
          if (parameter.in === 'path' && parameter.name in values) parameter.example = values[parameter.name]
        }
        if (type && operation.operationId === 'listObjects')
          operation.parameters.push(...filters(type, object))
        if (type && path.endsWith('/search')) {
          const media = operation.requestBody.content['application/json']
          delete media.example
          media.examples = searches(type, object)
        }
      }
    }
  }

  const isText = ({ type }) => type === 'string'

  /** Properties that can be filtered by, with the value that the object has. The key comes last: it finds one object. */
  function searchable({ properties, primaryKey }, object) {
    const key = [primaryKey].flat()[0]
    return Object.entries(properties)
      .filter(([name, { searchable: is }]) => (is ?? name === key) && object[name] !== undefined)
      .toSorted(([a], [b]) => Number(a === key) - Number(b === key))
  }

  const filters = (type, object) =>
    searchable(type, object)
      .slice(0, 4)
      .map(([name]) => ({
        name: `properties.${name}.eq`,
        in: 'query',
        required: false,
        description: `A filter by ${name}.`,
        schema: { type: 'string' },
        examples: {
          none: { summary: 'no filter', value: '' },
          one: { summary: String(object[name]), value: String(object[name]) },
        },
      }))

  function searches(type, object) {
    const found = searchable(type, object)
    const [equal] = found
    const text = found.find(([, property]) => isText(property))
    const sorted = Object.entries(type.properties).find(
      ([name, { sortable }]) => sortable && ![type.primaryKey].flat().includes(name),
    )
    const request = (summary, body) => ({ summary, value: { ...body, pageSize: 2 } })
    const everything = { type: 'empty' }
    return {
      everything: request('everything', { query: everything }),
      ...(equal && {
        equal: request(`${equal[0]} is ${object[equal[0]]}`, {
          query: { type: 'eq', field: equal[0], value: object[equal[0]] },
        }),
      }),
      ...(text && {
        prefix: request(`${text[0]} begins with ${String(object[text[0]]).slice(0, 2)}`, {
          query: { type: 'prefix', field: text[0], value: String(object[text[0]]).slice(0, 2) },
        }),
      }),
      ...(sorted && {
        order: request(`in the order of ${sorted[0]}, descending`, {
          query: everything,
          orderBy: { fields: [{ field: sorted[0], direction: 'desc' }] },
        }),
      }),
      snapshot: request('a walk over one version', { query: everything, snapshot: true }),
    }
  }
})()
