// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// The ERC-137 registry functions that these contracts call.
interface IEns {
    function owner(bytes32 node) external view returns (address);
    function resolver(bytes32 node) external view returns (address);
    function isApprovedForAll(address owner, address operator) external view returns (bool);
    function setSubnodeOwner(bytes32 node, bytes32 label, address owner) external returns (bytes32);
    function setResolver(bytes32 node, address resolver) external;
}

/// Resolver profiles; each interface id is the function's selector.
interface IAddr {
    function addr(bytes32 node) external view returns (address);
}

interface IAddress {
    function addr(bytes32 node, uint256 coinType) external view returns (bytes memory);
}

interface IName {
    function name(bytes32 node) external view returns (string memory);
}

interface IText {
    function text(bytes32 node, string calldata key) external view returns (string memory);
}

interface IContenthash {
    function contenthash(bytes32 node) external view returns (bytes memory);
}

/// ENSIP-10: resolves any record of a name and its subnames.
interface IExtendedResolver {
    function resolve(bytes calldata name, bytes calldata data) external view returns (bytes memory);
}

/// EIP-3668: the client requests one of `urls`, then passes the response to `callbackFunction`.
error OffchainLookup(
    address sender,
    string[] urls,
    bytes callData,
    bytes4 callbackFunction,
    bytes extraData
);
