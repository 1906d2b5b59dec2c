#include "report/json.h"

namespace concord::report {

std::string_view json_schema() {
  return R"({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "report.schema.json",
  "title": "What concord --format json prints",
  "type": "object",
  "description": "on stdout; input that cannot be read is told on stderr as text instead (exit status 65), and nothing is on stdout",
  "required": ["concord", "verdict", "interrupted", "assumptions", "notes", "inferred", "not_checked", "properties", "parts", "statistics"],
  "additionalProperties": false,
  "properties": {
    "concord": { "type": "string", "description": "the version" },
    "verdict": { "$ref": "#/$defs/verdict", "description": "the worst of the properties; unknown if there are none" },
    "interrupted": {
      "type": "boolean",
      "description": "by a signal: the verdicts are those reached until then, and the exit status is 130"
    },
    "assumptions": { "type": "array", "items": { "type": "string" } },
    "notes": {
      "description": "what the user should know about the specification",
      "type": "array",
      "items": { "type": "string" }
    },
    "inferred": {
      "description": "annotations that were found and used, each with the place of its loop",
      "type": "array",
      "items": { "type": "string" }
    },
    "patch": { "type": "string", "description": "with --suggest: puts what was found into the sources; only if anything was" },
    "superfluous": {
      "description": "with --uses: clauses, by id, that no other proof rests on; only if there are any",
      "type": "array",
      "items": { "type": "string" }
    },
    "not_checked": {
      "type": "array",
      "items": { "type": "string" },
      "description": "kinds that neither the program nor --property asked for"
    },
    "properties": { "type": "array", "items": { "$ref": "#/$defs/property" } },
    "parts": {
      "description": "what the modular engine checked by itself, with the bodies of what it calls: procedures, and what a client may do",
      "type": "array",
      "items": {
        "type": "object",
        "required": ["name", "location", "time_ms"],
        "additionalProperties": false,
        "properties": {
          "name": { "type": "string", "description": "of the procedure" },
          "location": { "$ref": "#/$defs/location" },
          "time_ms": { "type": "number", "minimum": 0, "description": "on one core, in milliseconds" }
        }
      }
    },
    "statistics": {
      "type": "object",
      "required": ["time_ms", "obligations", "states"],
      "properties": {
        "time_ms": { "type": "number", "minimum": 0, "description": "of the whole check, in milliseconds" },
        "obligations": {
          "type": "integer",
          "minimum": 0,
          "description": "formulas that were sent to a solver; 0 where the engine needs none, as explore"
        },
        "obligations_remembered": {
          "type": "integer",
          "minimum": 0,
          "description": "of these, proved by an earlier run: no solver was asked"
        },
        "properties_remembered": {
          "type": "integer",
          "minimum": 1,
          "description": "all of them: nothing has changed since an earlier run"
        },
        "states": { "type": "integer", "minimum": 0, "description": "different states that were visited" },
        "transitions": { "type": "integer", "minimum": 0, "description": "steps that were followed" }
      },
      "additionalProperties": { "type": "number" }
    }
  },
  "$defs": {
    "verdict": { "enum": ["verified", "violated", "unproved", "unknown"] },
    "location": {
      "type": "object",
      "required": ["file", "line", "column"],
      "additionalProperties": false,
      "properties": {
        "file": { "type": "string" },
        "line": { "type": "integer", "minimum": 1 },
        "column": { "type": "integer", "minimum": 1, "description": "in characters" }
      }
    },
    "property": {
      "type": "object",
      "required": ["id", "kind", "engine", "verdict", "message", "location", "related", "trace", "time_ms"],
      "additionalProperties": false,
      "properties": {
        "id": { "type": "string", "description": "KIND@file:line:column, the place of the claim" },
        "kind": { "type": "string", "description": "one of the kinds that concord explain lists" },
        "engine": { "type": "string" },
        "verdict": { "$ref": "#/$defs/verdict" },
        "message": { "type": "string" },
        "depends_on": {
          "type": "string",
          "description": "the id of the property for want of which alone this one is not proved; only then"
        },
        "uses": {
          "description": "with --uses: the properties, by id, that its proof rests on; only if there are any",
          "type": "array",
          "items": { "type": "string" }
        },
        "location": { "$ref": "#/$defs/location", "description": "where it breaks; the place of the claim otherwise" },
        "related": {
          "type": "array",
          "items": {
            "type": "object",
            "required": ["message", "location"],
            "additionalProperties": false,
            "properties": {
              "message": { "type": "string" },
              "location": { "$ref": "#/$defs/location" }
            }
          }
        },
        "trace": {
          "type": "array",
          "items": { "$ref": "#/$defs/step" },
          "description": "a run that breaks the property, one entry per atomic operation; empty without one"
        },
        "time_ms": {
          "type": "number",
          "minimum": 0,
          "description": "spent on this property alone; 0 if the engine decides all properties together, as explore"
        }
      }
    },
    "step": {
      "type": "object",
      "required": ["thread", "location", "text", "changes"],
      "additionalProperties": false,
      "properties": {
        "thread": { "type": "string" },
        "location": { "$ref": "#/$defs/location" },
        "text": { "type": "string", "description": "the operation" },
        "changes": {
          "type": "object",
          "additionalProperties": { "type": "string" },
          "description": "new values of what the operation changed, in the syntax of Plato"
        }
      }
    }
  }
}
)";
}

}  // namespace concord::report
