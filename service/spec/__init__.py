"""The specification: OpenAPI document, JSON Schemas, events and examples, made from the code."""
