"""The specification: OpenAPI and AsyncAPI documents, JSON Schemas, events and examples, made from the code."""
